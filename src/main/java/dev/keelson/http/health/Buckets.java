package dev.keelson.http.health;

import java.time.Duration;

/** Bounds of the buckets of histograms, upper and inclusive, as Kubernetes defines them. */
public final class Buckets {

  private Buckets() {}

  /** Durations of so many seconds. */
  public static Duration[] seconds(double... bounds) {
    Duration[] durations = new Duration[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      durations[i] = Duration.ofNanos(Math.round(bounds[i] * 1e9));
    }
    return durations;
  }

  /** {@code count} bounds, each {@code factor} times the one before. */
  public static double[] exponential(double first, double factor, int count) {
    double[] bounds = new double[count];
    double bound = first;
    for (int i = 0; i < count; i++) {
      bounds[i] = bound;
      bound *= factor;
    }
    return bounds;
  }

  /** {@code count} bounds, each {@code width} above the one before. */
  public static double[] linear(double first, double width, int count) {
    double[] bounds = new double[count];
    for (int i = 0; i < count; i++) {
      bounds[i] = first + i * width;
    }
    return bounds;
  }
}
