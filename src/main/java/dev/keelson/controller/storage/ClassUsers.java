package dev.keelson.controller.storage;

import dev.keelson.controller.storage.ProtectionSource.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The claims and volumes that name VolumeAttributesClasses: those that a claim asks for, has or is
 * changing to, and that of a volume. Others take no memory. Not safe for use by several threads.
 */
final class ClassUsers {

  /** A claim or a volume, whose namespace is empty. */
  private record User(Kind kind, String namespace, String name) {}

  private final Map<User, Set<String>> classes = new HashMap<>();

  /** Takes a claim or a volume; returns the classes that it no longer names. */
  Set<String> put(Kind kind, ApiObject object) {
    Set<String> names = named(object);
    User user = new User(kind, object.meta().namespace(), object.meta().name());
    Set<String> before = names.isEmpty() ? classes.remove(user) : classes.put(user, names);
    return before == null ? Set.of() : without(before, names);
  }

  /** Forgets a claim or a volume; returns the classes that it named. */
  Set<String> remove(Kind kind, String namespace, String name) {
    Set<String> before = classes.remove(new User(kind, namespace, name));
    return before == null ? Set.of() : before;
  }

  /** Forgets all objects of a kind, which are delivered again. */
  void clear(Kind kind) {
    classes.keySet().removeIf(user -> user.kind() == kind);
  }

  /** Whether a claim or a volume names the class. */
  boolean use(String name) {
    return classes.values().stream().anyMatch(names -> names.contains(name));
  }

  private static Set<String> without(Set<String> names, Set<String> others) {
    Set<String> left = new HashSet<>(names);
    left.removeAll(others);
    return left;
  }

  private static Set<String> named(ApiObject object) {
    MapNode status = object.root().map("status");
    Set<String> names = new HashSet<>();
    names.add(object.root().map("spec").text("volumeAttributesClassName"));
    names.add(status.text("currentVolumeAttributesClassName"));
    names.add(status.map("modifyVolumeStatus").text("targetVolumeAttributesClassName"));
    names.remove("");
    return names;
  }
}
