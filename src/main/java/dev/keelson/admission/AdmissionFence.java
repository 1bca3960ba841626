package dev.keelson.admission;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passes the fence of a write from admission to the store. Used by one thread. */
public final class AdmissionFence {

  private @Nullable WriteFence fence;

  /** Sets the fence, in place of one from an earlier attempt of the write. */
  public void set(WriteFence next) {
    fence = next;
  }

  /** The fence of the write; empty if it has none. */
  public Optional<WriteFence> get() {
    return Optional.ofNullable(fence);
  }
}
