package dev.keelson.registry;

/** Whether a write is meant. */
public enum WriteMode {
  /** The object is stored. */
  PERSIST,
  /** Every stage but storage ({@code dryRun=All}): nothing is stored, nothing allocated. */
  DRY_RUN
}
