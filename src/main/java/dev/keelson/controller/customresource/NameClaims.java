package dev.keelson.controller.customresource;

import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The definitions by group, and which names they get. Safe for use by several threads.
 *
 * <p>Every server decides, and none may accept a name that another one accepts for another
 * definition. So definitions that wait for names are served in the order of their resourceVersions:
 * a definition gets what those before it leave. A decision is stored only if the definition still
 * has the resourceVersion for which it was made. Of two definitions with one name, each server that
 * sees both sees the same one first; a server that sees only one of them sees the one with the
 * lower resourceVersion, since it sees changes in their order.
 */
final class NameClaims {

  private final Map<String, List<ResourceDefinition>> builtIn = new HashMap<>();
  private final Map<String, GroupClaims> groups = new HashMap<>();
  private final Map<String, Definition> all = new HashMap<>();

  /**
   * No definitions yet.
   *
   * @param catalog its built-in resources have their names already
   */
  NameClaims(ResourceCatalog catalog) {
    for (ResourceDefinition row : catalog.snapshot().builtIn()) {
      builtIn.computeIfAbsent(row.gvr().group(), group -> new ArrayList<>()).add(row);
    }
  }

  synchronized Optional<Definition> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  /**
   * Adds or replaces a definition unless this or a newer state is known; returns the one before.
   */
  synchronized Optional<Definition> put(Definition definition) {
    Definition before = all.get(definition.name());
    if (before != null
        && before.uid().equals(definition.uid())
        && before.revision() >= definition.revision()) {
      return Optional.of(before);
    }
    all.put(definition.name(), definition);
    groups.computeIfAbsent(definition.group(), this::newGroup).add(definition);
    if (before != null) {
      leave(before);
    }
    return Optional.ofNullable(before);
  }

  /** Replaces a known definition by a newer state of it; returns the one before. */
  synchronized Optional<Definition> putNewer(Definition definition) {
    Definition known = all.get(definition.name());
    return known != null
            && known.uid().equals(definition.uid())
            && known.revision() < definition.revision()
        ? put(definition)
        : Optional.empty();
  }

  /** Removes a definition; returns it. */
  synchronized Optional<Definition> remove(String name) {
    Definition before = all.remove(name);
    if (before != null) {
      leave(before);
    }
    return Optional.ofNullable(before);
  }

  private GroupClaims newGroup(String group) {
    return new GroupClaims(builtIn.getOrDefault(group, List.of()));
  }

  private void leave(Definition definition) {
    GroupClaims group = groups.get(definition.group());
    if (group != null) {
      group.remove(definition);
      if (group.isEmpty()) {
        groups.remove(definition.group());
      }
    }
  }

  /** The definitions of a group that wait for names. */
  synchronized List<String> pending(String group) {
    GroupClaims known = groups.get(group);
    return known == null ? List.of() : known.pending();
  }

  /** Decides on the names of a definition after those that wait before it. */
  synchronized NameRules.Decision decide(Definition definition) {
    GroupClaims known = groups.get(definition.group());
    return (known == null ? newGroup(definition.group()) : known).decide(definition);
  }
}
