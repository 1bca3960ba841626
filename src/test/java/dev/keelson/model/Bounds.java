package dev.keelson.model;

/** The least and the most of a number since the last settled state, and the number now. */
final class Bounds {

  private int now;
  private int least;
  private int most;

  Bounds(int start) {
    now = start;
    least = start;
    most = start;
  }

  int now() {
    return now;
  }

  int least() {
    return least;
  }

  int most() {
    return most;
  }

  /** The number may have this value from now on. */
  void set(int value) {
    now = value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }

  /** Only the present value counts from now on. */
  void settle() {
    least = now;
    most = now;
  }
}
