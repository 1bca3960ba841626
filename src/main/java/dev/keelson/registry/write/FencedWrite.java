package dev.keelson.registry.write;

import dev.keelson.admission.AdmissionFence;
import dev.keelson.admission.WriteFence;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stores admitted objects under the condition of their admission. */
final class FencedWrite {

  /** More changes of a fence during one write are no coincidence. */
  private static final int ATTEMPTS = 20;

  private FencedWrite() {}

  /**
   * Runs {@code write} with the guard of its fence, and again each time the fence was raised and
   * the write is admitted anew. An object in another store than the fences is stored without a
   * guard, as kube-apiserver stores every object.
   *
   * @return any outcome but {@code Guarded}
   */
  static WriteOutcome store(
      ObjectStore store,
      StoredType type,
      AdmissionFence admitted,
      Function<Write.@Nullable Guard, WriteOutcome> write) {
    Optional<WriteFence> fence = admitted.get();
    if (fence.isEmpty() || !store.guards(type)) {
      return write.apply(null);
    }
    WriteFence condition = fence.get();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      WriteOutcome outcome = write.apply(store.guard(condition.key(), condition.revision()));
      if (!(outcome instanceof WriteOutcome.Guarded raised)) {
        return outcome;
      }
      condition.raised(raised.revision());
    }
    throw new ApiException(
        Reason.INTERNAL_ERROR, "Internal error occurred: the admission of the write did not last");
  }
}
