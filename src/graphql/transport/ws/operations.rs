//! What goes on at a time on one socket. Each operation is a task of its own, so that a slow one holds up no other.
//!
//! An id is the client's again the moment it hears `complete` or `error`, so an operation is taken off the list when that
//! is written, not before and not after; and what an operation that the client has ended still had to say is not said.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use tokio::task::AbortHandle;

/// The operations of a socket by the client's ids.
#[derive(Default)]
pub struct Operations(Mutex<List>);

#[derive(Default)]
struct List {
    running: HashMap<String, Running>,
    begun: u64,
}

struct Running {
    number: u64,
    /// Nothing while it is about to start.
    task: Option<AbortHandle>,
}

/// One operation. A client may use an id again, so a number tells it from those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub id: String,
    number: u64,
}

/// Why an operation is not begun.
#[derive(Debug, PartialEq, Eq)]
pub enum NotBegun {
    InUse,
    TooMany,
}

impl Operations {
    /// Puts an operation on the list, if its id is free and there are fewer than so many.
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

    /// Notes the task that carries an operation out; one that has ended already needs none.
    pub fn started(&self, ticket: &Ticket, task: AbortHandle) {
        if let Some(running) = self.list().running.get_mut(&ticket.id).filter(|running| running.number == ticket.number)
        {
            running.task = Some(task);
        }
    }

    /// Whether an operation is still wanted.
    pub fn has(&self, ticket: &Ticket) -> bool {
        self.list().running.get(&ticket.id).is_some_and(|running| running.number == ticket.number)
    }

    /// Takes an operation off the list that has come to its end; tells whether it was still wanted.
    pub fn end(&self, ticket: &Ticket) -> bool {
        let mut list = self.list();
        let wanted = list.running.get(&ticket.id).is_some_and(|running| running.number == ticket.number);
        if wanted {
            list.running.remove(&ticket.id);
        }
        wanted
    }

    /// Ends an operation that the client has had enough of. One that there is not may have ended a moment ago.
    pub fn stop(&self, id: &str) {
        if let Some(Running { task: Some(task), .. }) = self.list().running.remove(id) {
            task.abort();
        }
    }

    /// Ends all of them.
    pub fn stop_all(&self) {
        for (_, running) in self.list().running.drain() {
            running.task.iter().for_each(AbortHandle::abort);
        }
    }

    fn list(&self) -> std::sync::MutexGuard<'_, List> {
        self.0.lock().expect("nobody panics holding it")
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
