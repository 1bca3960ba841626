package dev.keelson.client;

import java.util.Map;

/**
 * What came of the deletion of all objects of a resource in a namespace.
 *
 * @param found how many there were
 * @param left how many there still are, held by finalizers or by their grace period
 * @param finalizers what holds them, with the number of objects
 */
public record Remaining(int found, int left, Map<String, Integer> finalizers) {
  public Remaining {
    finalizers = Map.copyOf(finalizers);
  }
}
