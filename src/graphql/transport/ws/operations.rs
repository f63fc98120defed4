//! Running operations of a WebSocket, by their ids. Each operation is a task of its own, so that a slow one does not
//! block others.
//!
//! A client can reuse an id once it has received `complete` or `error`. So an operation is removed when that message is
//! written. Messages of an operation that the client has stopped are dropped.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use tokio::task::AbortHandle;

#[derive(Default)]
pub struct Operations(Mutex<List>);

#[derive(Default)]
struct List {
    running: HashMap<String, Running>,
    begun: u64,
}

struct Running {
    number: u64,
    /// `None` until the task is spawned.
    task: Option<AbortHandle>,
}

/// Identifies an operation. Clients can reuse ids, so a number distinguishes it from earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub id: String,
    number: u64,
}

/// Why an operation is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum NotBegun {
    InUse,
    TooMany,
}

impl Operations {
    /// Adds an operation, if its id is free and fewer than `most` are running.
    pub fn begin(&self, id: &str, most: usize) -> Result<Ticket, NotBegun> {
        let mut list = self.list();
        let full = list.running.len() >= most;
        let number = list.begun;
        match list.running.entry(id.to_owned()) {
            Entry::Occupied(_) => return Err(NotBegun::InUse),
            Entry::Vacant(_) if full => return Err(NotBegun::TooMany),
            Entry::Vacant(place) => place.insert(Running { number, task: None }),
        };
        list.begun += 1;
        Ok(Ticket { id: id.to_owned(), number })
    }

    /// Sets the task of an operation, unless it has ended already.
    pub fn started(&self, ticket: &Ticket, task: AbortHandle) {
        if let Some(running) = self.list().running.get_mut(&ticket.id).filter(|running| running.number == ticket.number)
        {
            running.task = Some(task);
        }
    }

    /// Whether an operation is still running.
    pub fn has(&self, ticket: &Ticket) -> bool {
        self.list().running.get(&ticket.id).is_some_and(|running| running.number == ticket.number)
    }

    /// Removes an operation that has ended; returns whether it was still there.
    pub fn end(&self, ticket: &Ticket) -> bool {
        let mut list = self.list();
        let wanted = list.running.get(&ticket.id).is_some_and(|running| running.number == ticket.number);
        if wanted {
            list.running.remove(&ticket.id);
        }
        wanted
    }

    /// Stops an operation at the client's request. An unknown id is ignored: the operation may just have ended.
    pub fn stop(&self, id: &str) {
        if let Some(Running { task: Some(task), .. }) = self.list().running.remove(id) {
            task.abort();
        }
    }

    pub fn stop_all(&self) {
        for (_, running) in self.list().running.drain() {
            running.task.iter().for_each(AbortHandle::abort);
        }
    }

    fn list(&self) -> std::sync::MutexGuard<'_, List> {
        self.0.lock().expect("no code panics while it holds the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_in_use_until_its_operation_ends() {
        let operations = Operations::default();
        let ticket = operations.begin("a", 9).expect("it is free");
        assert_eq!(operations.begin("a", 9), Err(NotBegun::InUse));
        assert!(operations.end(&ticket));
        assert!(!operations.end(&ticket), "once");
        assert!(operations.begin("a", 9).is_ok());
    }

    #[test]
    fn an_operation_that_was_stopped_is_not_taken_for_a_later_one_of_its_id() {
        let operations = Operations::default();
        let first = operations.begin("a", 9).expect("it is free");
        operations.stop("a");
        let second = operations.begin("a", 9).expect("it is free again");
        assert!(!operations.has(&first) && !operations.end(&first));
        assert!(operations.has(&second));
    }

    #[test]
    fn there_are_no_more_than_so_many() {
        let operations = Operations::default();
        let first = operations.begin("a", 1).expect("there is room");
        assert_eq!(operations.begin("b", 1), Err(NotBegun::TooMany));
        operations.end(&first);
        assert!(operations.begin("b", 1).is_ok());
    }
}
