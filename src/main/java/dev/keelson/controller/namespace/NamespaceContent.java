package dev.keelson.controller.namespace;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.Remaining;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The result of one attempt to delete the content of a namespace. Used by one thread. */
final class NamespaceContent {

  private final Map<GroupVersionResource, Integer> left = new HashMap<>();
  private final Map<String, Integer> finalizers = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private int found;

  /** The resource as the conditions name it. */
  private static String name(GroupVersionResource resource) {
    return resource.resource() + "." + resource.group();
  }

  void add(GroupVersionResource resource, Remaining remaining) {
    found += remaining.found();
    if (remaining.left() > 0) {
      left.put(resource, remaining.left());
    }
    for (Map.Entry<String, Integer> held : remaining.finalizers().entrySet()) {
      int unused = finalizers.merge(held.getKey(), held.getValue(), Integer::sum);
    }
  }

  void failed(String why) {
    failures.add(why);
  }

  /** Whether there was nothing to delete, and nothing failed. */
  boolean empty() {
    return found == 0 && failures.isEmpty();
  }

  /** Whether objects remain or could not be deleted. */
  boolean held() {
    return !left.isEmpty() || !failures.isEmpty();
  }

  /** The remaining objects by resource, in the format of the condition; empty if there are none. */
  List<String> remaining() {
    return left.entrySet().stream()
        .map(entry -> name(entry.getKey()) + " has " + entry.getValue() + " resource instances")
        .sorted()
        .toList();
  }

  /** The remaining finalizers. */
  List<String> remainingFinalizers() {
    return finalizers.entrySet().stream()
        .map(entry -> entry.getKey() + " in " + entry.getValue() + " resource instances")
        .sorted()
        .toList();
  }

  /** The errors of deletions. */
  List<String> failures() {
    return failures.stream().sorted().toList();
  }
}
