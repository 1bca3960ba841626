package dev.keelson.client;

import java.util.Map;

/**
 * The result of deleting all objects of a resource in a namespace.
 *
 * @param found the number of objects found
 * @param left the number of remaining objects, delayed by finalizers or their grace period
 * @param finalizers the number of remaining objects by finalizer
 */
public record Remaining(int found, int left, Map<String, Integer> finalizers) {
  public Remaining {
    finalizers = Map.copyOf(finalizers);
  }
}
