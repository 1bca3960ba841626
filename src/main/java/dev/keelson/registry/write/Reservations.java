package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.Reservation;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Commits or releases reservations by the outcome of a write. */
final class Reservations {

  private Reservations() {}

  /** Runs a check of the object and releases the reservation if it throws. */
  static Reservation checked(Reservation reserved, Consumer<ApiObject> check) {
    try {
      check.accept(reserved.object());
      return reserved;
    } catch (RuntimeException e) {
      reserved.release();
      throw e;
    }
  }

  /**
   * Runs the write of the object and commits or releases the reservation, if the outcome is known.
   */
  static WriteOutcome settled(Reservation reserved, Supplier<WriteOutcome> write) {
    WriteOutcome outcome;
    try {
      outcome = write.get();
    } catch (StorageException.UnknownOutcome e) {
      throw e;
    } catch (RuntimeException e) {
      reserved.release();
      throw e;
    }
    switch (outcome) {
      case WriteOutcome.Applied _ -> reserved.commit();
      case WriteOutcome.Conflict _, WriteOutcome.Missing _, WriteOutcome.Guarded _ ->
          reserved.release();
    }
    return outcome;
  }
}
