package dev.keelson.watch;

/** What a cache can tell of itself at any time. Safe for use by several threads. */
public interface CacheFigures {

  /** The revision up to which the newest state is complete; 0 while the type is not loaded. */
  long revision();

  /** The number of objects; 0 while the type is not loaded. */
  int objects();

  /** The size of all stored objects in bytes; 0 while the type is not loaded. */
  long bytes();

  /** The number of events that the history has. */
  int events();
}
