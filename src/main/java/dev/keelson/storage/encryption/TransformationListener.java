package dev.keelson.storage.encryption;

/** Takes the outcome of transformations, for metrics; called on the thread that transforms. */
@FunctionalInterface
public interface TransformationListener {

  /** Ignores everything. */
  TransformationListener NONE = (direction, prefix, status, nanos) -> {};

  /** The direction of a transformation. */
  enum Direction {
    FROM_STORAGE("from_storage"),
    TO_STORAGE("to_storage");

    private final String label;

    Direction(String label) {
      this.label = label;
    }

    /** The value of the label {@code transformation_type}. */
    public String label() {
      return label;
    }
  }

  /**
   * Reports one transformation.
   *
   * @param prefix the prefix of the transformer; {@code identity} or {@code unknown} for values
   *     without a known one
   * @param status {@code OK}, or {@link TransformationException#status}
   * @param nanos the duration in nanoseconds
   */
  void transformed(Direction direction, String prefix, String status, long nanos);
}
