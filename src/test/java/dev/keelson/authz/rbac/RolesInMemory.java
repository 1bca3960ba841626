package dev.keelson.authz.rbac;

import static java.util.Objects.requireNonNull;

import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Roles and bindings that can be written, and a note of every write. */
final class RolesInMemory implements RoleStore, RoleSource {

  private final Map<Kind, Map<String, ApiObject>> objects = new LinkedHashMap<>();
  private final List<String> writes = new ArrayList<>();

  /** The writes since the last call. */
  List<String> writes() {
    List<String> noted = List.copyOf(writes);
    writes.clear();
    return noted;
  }

  ApiObject get(Kind kind, String name) {
    return get(kind, "", name).orElseThrow();
  }

  /** Puts an object there without a note. */
  void put(Kind kind, ApiObject object) {
    of(kind).put(object.meta().namespace() + "/" + object.meta().name(), object);
  }

  @Override
  public Optional<ApiObject> get(Kind kind, String namespace, String name) {
    return Optional.ofNullable(of(kind).get(namespace + "/" + name));
  }

  @Override
  public void create(Kind kind, String namespace, ApiObject object) {
    writes.add("create " + object.meta().name());
    of(kind).putIfAbsent(namespace + "/" + object.meta().name(), object);
  }

  @Override
  public void change(Kind kind, String namespace, String name, UnaryOperator<ApiObject> edit) {
    writes.add("change " + name);
    of(kind).computeIfPresent(namespace + "/" + name, (key, object) -> edit.apply(object));
  }

  @Override
  public void applyClusterRole(ApiObject fields, String fieldManager) {
    writes.add("apply " + fields.meta().name() + " as " + fieldManager);
    of(Kind.CLUSTER_ROLE)
        .computeIfPresent(
            "/" + fields.meta().name(),
            (key, object) -> object.with("rules", requireNonNull(fields.root().get("rules"))));
  }

  @Override
  public void delete(Kind kind, String namespace, String name) {
    writes.add("delete " + name);
    of(kind).remove(namespace + "/" + name);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    for (Kind kind : Kind.values()) {
      sink.clear(kind);
      of(kind).values().forEach(object -> sink.put(kind, object));
    }
  }

  private Map<String, ApiObject> of(Kind kind) {
    return objects.computeIfAbsent(kind, unused -> new LinkedHashMap<>());
  }
}
