/* A model of power loss, preloaded into the program under test (LD_PRELOAD).
 *
 * Everything below the folder SHIM_WATCHED is mirrored to the folder SHIM_PLATTER, but only as far as the program has
 * synced it: bytes and length of a file reach the platter when the file is synced; names (created, renamed, removed)
 * when the file or its folder is. Killing the program at any moment leaves on the platter what a power cut would.
 * `sync_file_range` promises nothing, so it moves nothing. SHIM_PLATTER must start out as a copy of SHIM_WATCHED.
 *
 * A file that was there before is dirty as a whole: a program that was killed leaves what it wrote to the next one, but
 * not to a power cut.
 *
 * With SHIM_IGNORE_FDATASYNC set, fdatasync moves nothing either: the disk that lies, to see whether a test notices.
 * With SHIM_FAIL_FDATASYNC set to n, the nth fdatasync fails, and slowly, so that later ones succeed before it does.
 * With SHIM_LOSE_PAGES set to n, the first fsync after n of them that finds unsynced bytes in a file called "db" loses
 * them: it fails, and from then on the file takes itself for clean. As on Linux, every other process that has it open gets the error
 * once, at its next sync. SHIM_PLATTER.lost is there from then on. With SHIM_NO_ROOM the error is that of a full disk.
 *
 * Renames of whole folders are carried over when the folder they lie in is synced.
 *
 * A file is known by its inode; its synced content lives in SHIM_PLATTER.inodes/<number> and its synced names are hard
 * links to that, so that a rename costs nothing and content synced under one name is found under the next.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct range {
    off_t from, to;
    struct range *next;
} range;

typedef struct file {
    dev_t dev;
    ino_t ino;
    unsigned number;
    int has_lost;
    range *dirty;
    struct file *next;
} file;

/* A folder that was renamed, but not yet on the platter. */
typedef struct move {
    char from[PATH_MAX], to[PATH_MAX];
    struct move *next;
} move;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static file *files;
static move *moves;
static unsigned numbers;
static char watched[PATH_MAX], platter[PATH_MAX];
static size_t watched_length;
static int ignore_fdatasync, fail_fdatasync;
static int lose_pages, lost_error = EIO;
static char was_told[65536]; /* by descriptor: whether it knows that its file has lost something */

#define REAL(type, name, ...)                                                                                          \
    static type (*real_##name)(__VA_ARGS__);                                                                           \
    if (!real_##name) real_##name = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *from = getenv("SHIM_WATCHED"), *to = getenv("SHIM_PLATTER");
    if (!from || !to || !realpath(from, watched) || !realpath(to, platter)) return;
    watched_length = strlen(watched);
    ignore_fdatasync = getenv("SHIM_IGNORE_FDATASYNC") != NULL;
    if (getenv("SHIM_LOSE_PAGES")) lose_pages = atoi(getenv("SHIM_LOSE_PAGES"));
    if (getenv("SHIM_NO_ROOM")) lost_error = ENOSPC;
    if (getenv("SHIM_FAIL_FDATASYNC")) fail_fdatasync = atoi(getenv("SHIM_FAIL_FDATASYNC"));
}

/* A model that can't do its work must not pass for one: better no program at all. */
static void give_up(const char *what, const char *path) {
    fprintf(stderr, "power loss shim: %s %s: %s\n", what, path, strerror(errno));
    abort();
}

/* The path of a watched file or folder below the watched one, "" for that itself; NULL if it is not watched. */
static const char *below(const char *path) {
    if (!watched_length || strncmp(path, watched, watched_length) != 0) return NULL;
    if (path[watched_length] == '\0') return "";
    return path[watched_length] == '/' ? path + watched_length + 1 : NULL;
}

static const char *below_fd(int fd, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length < 0) return NULL;
    buffer[length] = '\0';
    return below(buffer);
}

/* The same for a path that is given by name; the last part need not exist. */
static const char *below_path(const char *path, char *buffer) {
    char folder[PATH_MAX];
    if (strlen(path) >= sizeof folder) return NULL;
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    const char *name = slash ? path + (slash - folder) + 1 : path;
    if (slash) slash[slash == folder ? 1 : 0] = '\0';
    char whole[PATH_MAX];
    if (!realpath(slash ? folder : ".", whole)) return NULL;
    if (snprintf(buffer, PATH_MAX, "%s/%s", whole, name) >= PATH_MAX) return NULL;
    return below(buffer);
}

static void on_platter(char *path, const char *relative) {
    if (snprintf(path, PATH_MAX, "%s/%s", platter, relative) >= PATH_MAX) give_up("too long", relative);
}

static void content_of(char *path, const file *f) {
    if (snprintf(path, PATH_MAX, "%s.inodes/%u", platter, f->number) >= PATH_MAX) give_up("too long", platter);
}

/* Opens without passing through our own open(). */
static int plain_open(const char *path, int flags) {
    REAL(int, open, const char *, int, ...);
    return real_open(path, flags | O_CLOEXEC, 0644);
}

static int plain_unlink(const char *path) {
    REAL(int, unlink, const char *);
    return real_unlink(path);
}

static int plain_rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return real_rename(from, to);
}

static file *find(const struct stat *s) {
    for (file *f = files; f; f = f->next)
        if (f->dev == s->st_dev && f->ino == s->st_ino) return f;
    return NULL;
}

/* Takes up a file; what the platter has under that name is what was synced of it, unless it is new. */
static file *adopt(const struct stat *s, const char *relative, int is_new) {
    file *f = find(s);
    if (f) return f;
    f = calloc(1, sizeof *f);
    f->dev = s->st_dev, f->ino = s->st_ino, f->number = ++numbers, f->next = files;
    files = f;
    char folder[PATH_MAX + 8], content[PATH_MAX], name[PATH_MAX];
    snprintf(folder, sizeof folder, "%s.inodes", platter);
    if (mkdir(folder, 0755) && errno != EEXIST) give_up("creating", folder);
    content_of(content, f);
    plain_unlink(content);
    on_platter(name, relative);
    if (is_new || link(name, content)) {
        int fd = plain_open(content, O_CREAT | O_WRONLY | O_TRUNC);
        if (fd < 0) give_up("creating", content);
        close(fd);
    }
    if (!is_new && s->st_size > 0) {
        f->dirty = calloc(1, sizeof *f->dirty);
        f->dirty->to = s->st_size;
    }
    return f;
}

/* The last name is gone; the inode number may soon be somebody else's. */
static void forget(const struct stat *s) {
    for (file **at = &files; *at; at = &(*at)->next)
        if ((*at)->dev == s->st_dev && (*at)->ino == s->st_ino) {
            file *gone = *at;
            *at = gone->next;
            return; /* its content stays on the platter for as long as a name does */
        }
}

static void wrote(int fd, off_t from, off_t to) {
    char buffer[PATH_MAX];
    struct stat s;
    const char *relative = below_fd(fd, buffer);
    if (!relative || fstat(fd, &s) || !S_ISREG(s.st_mode) || s.st_nlink == 0) return;
    pthread_mutex_lock(&lock);
    file *f = adopt(&s, relative, 0);
    if (f->dirty && f->dirty->to == from) {
        f->dirty->to = to;
    } else {
        range *r = malloc(sizeof *r);
        r->from = from, r->to = to, r->next = f->dirty;
        f->dirty = r;
    }
    pthread_mutex_unlock(&lock);
}

/* The folders above a name are as durable as the name. */
static void make_folders(char *path) {
    for (char *slash = path + strlen(platter) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0755) && errno != EEXIST) give_up("creating", path);
        *slash = '/';
    }
}

static void give_name(const file *f, const char *relative) {
    char content[PATH_MAX], name[PATH_MAX], aside[PATH_MAX + 8];
    struct stat a, b;
    content_of(content, f);
    on_platter(name, relative);
    if (!stat(content, &a) && !stat(name, &b) && a.st_ino == b.st_ino) return;
    make_folders(name);
    snprintf(aside, sizeof aside, "%s.aside", content);
    plain_unlink(aside);
    if (link(content, aside) || plain_rename(aside, name)) give_up("naming", name);
}

/* Lines the ranges up, lowest first, so that killing us half-way leaves a beginning, as disks tend to. */
static range *in_order(range *r) {
    range *sorted = NULL;
    while (r) {
        range *next = r->next, **at = &sorted;
        while (*at && (*at)->from < r->from) at = &(*at)->next;
        r->next = *at, *at = r, r = next;
    }
    return sorted;
}

static void sync_file(int fd, const struct stat *s, const char *relative) {
    char content[PATH_MAX], source[64], block[65536];
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    REAL(int, ftruncate, int, off_t);
    file *f = adopt(s, relative, 0);
    content_of(content, f);
    snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
    int from = plain_open(source, O_RDONLY), to = plain_open(content, O_WRONLY);
    if (from < 0 || to < 0) give_up("opening", content);
    if (real_ftruncate(to, s->st_size)) give_up("sizing", content);
    range *r = in_order(f->dirty);
    f->dirty = NULL;
    while (r) {
        for (off_t at = r->from; at < r->to && at < s->st_size;) {
            size_t most = r->to - at < (off_t)sizeof block ? (size_t)(r->to - at) : sizeof block;
            ssize_t got = pread(from, block, most, at);
            if (got <= 0) break;
            if (real_pwrite(to, block, got, at) != got) give_up("writing", content);
            at += got;
        }
        range *next = r->next;
        free(r);
        r = next;
    }
    close(from), close(to);
    give_name(f, relative);
}

static void join(char *path, const char *folder, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s%s%s", folder, *folder ? "/" : "", name);
    if (length >= PATH_MAX) give_up("too long", name);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *ftw) {
    (void)s, (void)ftw;
    return kind == FTW_DP ? rmdir(path) : plain_unlink(path);
}

/* Whether the path lies in that folder, directly. */
static int lies_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) return 0;
    const char *name = path + length + (length ? 1 : 0);
    return (!length || path[length] == '/') && !strchr(name, '/');
}

/* Carries out the renames of folders within a folder, oldest first. */
static void sync_moves(const char *relative) {
    char from[PATH_MAX], to[PATH_MAX];
    for (move **at = &moves; *at;) {
        move *m = *at;
        if (!lies_in(m->to, relative)) {
            at = &m->next;
            continue;
        }
        on_platter(from, m->from), on_platter(to, m->to);
        if (plain_rename(from, to) && errno != ENOENT) give_up("moving", from);
        *at = m->next;
        free(m);
    }
}

/* Makes the names in a folder the same on the platter. */
static void sync_names(const char *relative) {
    char real[PATH_MAX], mirrored[PATH_MAX], name[PATH_MAX], path[PATH_MAX];
    struct stat s;
    struct dirent *entry;
    if (snprintf(real, sizeof real, "%s/%s", watched, relative) >= PATH_MAX) give_up("too long", relative);
    sync_moves(relative);
    on_platter(mirrored, relative);
    make_folders(mirrored);
    if (*relative && mkdir(mirrored, 0755) && errno != EEXIST) give_up("creating", mirrored);
    DIR *dir = opendir(real);
    if (!dir) return;
    while ((entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        join(name, relative, entry->d_name);
        if (snprintf(path, sizeof path, "%s/%s", watched, name) >= PATH_MAX || lstat(path, &s)) continue;
        if (S_ISREG(s.st_mode)) give_name(adopt(&s, name, 0), name);
        on_platter(path, name);
        if (S_ISDIR(s.st_mode) && mkdir(path, 0755) && errno != EEXIST) give_up("creating", path);
    }
    closedir(dir);
    dir = opendir(mirrored);
    if (!dir) return;
    while ((entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        join(name, relative, entry->d_name);
        if (snprintf(path, sizeof path, "%s/%s", watched, name) >= PATH_MAX || !lstat(path, &s)) continue;
        on_platter(path, name);
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    closedir(dir);
}

/* Whether the file has lost something that this descriptor was not told of yet. */
static int tells_of_loss(int fd, const struct stat *s, const char *relative, int is_fsync) {
    static int calls;
    const char *slash = strrchr(relative, '/');
    if (!lose_pages || strcmp(slash ? slash + 1 : relative, "db") != 0 || (size_t)fd >= sizeof was_told) return 0;
    file *f = adopt(s, relative, 0);
    if (is_fsync && ++calls > lose_pages && !f->has_lost && f->dirty) {
        char mark[PATH_MAX + 8];
        snprintf(mark, sizeof mark, "%s.lost", platter);
        close(plain_open(mark, O_CREAT | O_WRONLY));
        f->has_lost = 1;
        f->dirty = NULL;
    }
    if (!f->has_lost || was_told[fd]) return 0;
    was_told[fd] = 1;
    return 1;
}

/* Moves what a sync makes durable; 0, or -1 with an error. */
static int synced(int fd, int is_fsync) {
    char buffer[PATH_MAX];
    struct stat s;
    int lost = 0;
    const char *relative = below_fd(fd, buffer);
    if (!relative) return 0;
    pthread_mutex_lock(&lock);
    /* Only now: a length from before the lock may be older than one that another thread has synced meanwhile. */
    if (fstat(fd, &s)) s.st_mode = 0;
    if (S_ISDIR(s.st_mode)) sync_names(relative);
    else if (S_ISREG(s.st_mode) && s.st_nlink > 0) {
        lost = tells_of_loss(fd, &s, relative, is_fsync);
        if (!lost) sync_file(fd, &s, relative);
    }
    pthread_mutex_unlock(&lock);
    if (lost) errno = lost_error;
    return lost ? -1 : 0;
}

int fsync(int fd) {
    REAL(int, fsync, int);
    int result = real_fsync(fd);
    return result ? result : synced(fd, 1);
}

int fdatasync(int fd) {
    static int calls;
    REAL(int, fdatasync, int);
    if (__sync_add_and_fetch(&calls, 1) == fail_fdatasync) {
        usleep(50000);
        errno = EIO;
        return -1;
    }
    int result = real_fdatasync(fd);
    return result || ignore_fdatasync ? result : synced(fd, 0);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    ssize_t written = real_write(fd, bytes, count);
    if (written > 0 && watched_length) {
        int kept = errno;
        off_t end = lseek(fd, 0, SEEK_CUR);
        if (end >= written) wrote(fd, end - written, end);
        errno = kept;
    }
    return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    ssize_t written = real_pwrite64(fd, bytes, count, at);
    if (written > 0) wrote(fd, at, at + written);
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    ssize_t written = real_pwrite(fd, bytes, count, at);
    if (written > 0) wrote(fd, at, at + written);
    return written;
}

/* A file that is opened may be new, or be emptied; its inode number may have been another's. */
static int opened(int fd, int flags, int was_there) {
    char buffer[PATH_MAX];
    struct stat s;
    if (fd < 0 || !(flags & (O_WRONLY | O_RDWR))) return fd;
    const char *relative = below_fd(fd, buffer);
    if (!relative || fstat(fd, &s) || !S_ISREG(s.st_mode)) return fd;
    pthread_mutex_lock(&lock);
    if (!was_there) forget(&s);
    adopt(&s, relative, !was_there);
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        REAL(int, name, const char *, int, ...);                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                      \
        va_end(rest);                                                                                                  \
        int was_there = access(path, F_OK) == 0;                                                                       \
        return opened(real_##name(path, flags, mode), flags, was_there);                                               \
    }
OPEN(open)
OPEN(open64)

/* Before a file moves or goes, it must be known under the name it had. */
static int stat_watched(const char *path, struct stat *s) {
    char buffer[PATH_MAX];
    const char *relative = below_path(path, buffer);
    if (!relative || lstat(path, s) || !S_ISREG(s->st_mode)) return 0;
    adopt(s, relative, 0);
    return 1;
}

static void note_move(const char *from, const char *to) {
    char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
    const char *a = below_path(from, from_buffer), *b = below_path(to, to_buffer);
    if (!a || !b) return;
    move *m = calloc(1, sizeof *m), **at = &moves;
    strcpy(m->from, a), strcpy(m->to, b);
    while (*at) at = &(*at)->next;
    *at = m;
}

int rename(const char *from, const char *to) {
    struct stat moved, replaced;
    if (!watched_length) return plain_rename(from, to);
    pthread_mutex_lock(&lock);
    int is_folder = !stat_watched(from, &moved) && !lstat(from, &moved) && S_ISDIR(moved.st_mode);
    int replaces = stat_watched(to, &replaced) && replaced.st_nlink == 1;
    int result = plain_rename(from, to);
    if (!result && replaces) forget(&replaced);
    if (!result && is_folder) note_move(from, to);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    struct stat s;
    if (!watched_length) return plain_unlink(path);
    pthread_mutex_lock(&lock);
    int last = stat_watched(path, &s) && s.st_nlink == 1;
    int result = plain_unlink(path);
    if (!result && last) forget(&s);
    pthread_mutex_unlock(&lock);
    return result;
}
