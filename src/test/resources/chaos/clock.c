// Shifts the wall clock of one process, loaded with LD_PRELOAD: CLOCK_REALTIME plus the nanoseconds
// in the first eight bytes of the file WALL_CLOCK_OFFSET, which may change at any time. The
// monotonic clock stays true. libfaketime, which does more, stops a JVM 25 for minutes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static volatile int64_t *offset;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real = dlsym(RTLD_NEXT, "clock_gettime");
  const char *name = getenv("WALL_CLOCK_OFFSET");
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  void *mapped = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
  offset = mapped == MAP_FAILED ? NULL : mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  if (real == NULL) {
    real = dlsym(RTLD_NEXT, "clock_gettime");
  }
  int failed = real(clock, result);
  if (!failed && offset != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = result->tv_sec * SECOND + result->tv_nsec + *offset;
    result->tv_sec = nanos / SECOND;
    result->tv_nsec = nanos % SECOND;
  }
  return failed;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  if (!failed) {
    result->tv_sec = now.tv_sec;
    result->tv_usec = now.tv_nsec / 1000;
  }
  return failed;
}

time_t time(time_t *result) {
  struct timespec now;
  time_t seconds = clock_gettime(CLOCK_REALTIME, &now) ? (time_t)-1 : now.tv_sec;
  if (result != NULL) {
    *result = seconds;
  }
  return seconds;
}
