package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.Reservation;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Commits or releases reservations by the outcome of a write. */
final class Reservations {

  private Reservations() {}

  /** A reservation whose object was completed. */
  private record Checked(ApiObject object, Reservation reserved) implements Reservation {
    @Override
    public void commit() {
      reserved.commit();
    }

    @Override
    public void release() {
      reserved.release();
    }
  }

  /**
   * Runs a check, which returns the object as it is to be stored, and releases the reservation if
   * it throws.
   */
  static Reservation checked(Reservation reserved, UnaryOperator<ApiObject> check) {
    try {
      return new Checked(check.apply(reserved.object()), reserved);
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
