package dev.keelson.storage.sqlite;

/**
 * The durability of acknowledged writes: SQLite's {@code synchronous} setting in WAL mode. With
 * each, an acknowledged write survives the death of the process.
 */
public enum Synchronous {
  /**
   * After a loss of power the newest answered writes may be missing, and the file may be damaged.
   */
  OFF,
  /** After a loss of power the newest answered writes may be missing; the file stays whole. */
  NORMAL,
  /** An answered write survives a loss of power. */
  FULL
}
