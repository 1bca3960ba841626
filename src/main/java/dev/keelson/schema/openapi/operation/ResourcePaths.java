package dev.keelson.schema.openapi.operation;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The paths of one resource, as kube-apiserver's installer lays them out (endpoints/installer.go).
 */
public final class ResourcePaths {

  private final ResourceOperations operations;
  private final ResourceDefinition definition;
  private final String base;
  private final String resource;
  private final String scopedBase;
  private final List<PathItem> items = new ArrayList<>();

  private ResourcePaths(ResourceOperations operations, ResourceDefinition definition) {
    this.operations = operations;
    this.definition = definition;
    this.base = base(GroupVersion.of(definition.gvr()));
    this.resource = definition.gvr().resource();
    this.scopedBase = definition.namespaced() ? "/namespaces/{namespace}/" : "/";
  }

  /** Where a group version is served. */
  public static String base(GroupVersion version) {
    return version.group().isEmpty()
        ? "/api/" + version.version()
        : "/apis/" + version.group() + "/" + version.version();
  }

  /** Every path of {@code definition} and its subresources. */
  public static List<PathItem> of(
      MetaTypes types, Descriptions descriptions, ResourceDefinition definition) {
    ResourcePaths paths =
        new ResourcePaths(new ResourceOperations(types, descriptions, definition), definition);
    paths.addObjects();
    definition.subresources().values().stream()
        .sorted(Comparator.comparing(Subresource::name))
        .forEach(paths::addSubresource);
    // kube-apiserver documents these paths of built-in types alone
    if (paths.can(Verb.WATCH) && definition.custom() == null) {
      paths.addWatches();
    }
    return paths.items;
  }

  private boolean can(Verb verb) {
    return definition.verbs().contains(verb);
  }

  private void addObjects() {
    if (definition.namespaced() && can(Verb.LIST)) {
      add(base + "/" + resource, List.of(operations.list(/* everywhere= */ true)));
    }
    List<Operation> collection = new ArrayList<>();
    if (can(Verb.LIST)) {
      collection.add(operations.list(/* everywhere= */ false));
    }
    if (can(Verb.CREATE)) {
      collection.add(operations.create());
    }
    if (can(Verb.DELETE_COLLECTION)) {
      collection.add(operations.deleteCollection());
    }
    add(base + scopedBase + resource, collection);
    List<Operation> object = new ArrayList<>();
    if (can(Verb.GET)) {
      object.add(operations.read());
    }
    if (can(Verb.UPDATE)) {
      object.add(operations.replace());
    }
    if (can(Verb.DELETE)) {
      object.add(operations.delete());
    }
    if (can(Verb.PATCH)) {
      object.add(operations.patch());
    }
    add(base + scopedBase + resource + "/{name}", object);
  }

  private void addSubresource(Subresource sub) {
    String path = base + scopedBase + resource + "/{name}/" + sub.name();
    ResourceOperations of = operations.of(sub);
    if (sub.verbs().contains(Verb.CONNECT)) {
      ConnectOperations connect = of.connect(sub);
      add(path, connect.all(/* withPath= */ false));
      if (sub.verbs().contains(Verb.DELETE)) {
        add(path + "/{path}", connect.all(/* withPath= */ true));
      }
      return;
    }
    List<Operation> all = new ArrayList<>();
    if (sub.verbs().contains(Verb.GET)) {
      all.add(sub.name().equals("log") ? of.readLog() : of.read());
    }
    if (sub.verbs().contains(Verb.UPDATE)) {
      all.add(of.replace());
    }
    if (sub.verbs().contains(Verb.CREATE)) {
      all.add(of.create());
    }
    if (sub.verbs().contains(Verb.PATCH)) {
      all.add(of.patch());
    }
    add(path, all);
  }

  private void addWatches() {
    String watch = base + "/watch";
    if (definition.namespaced()) {
      add(watch + "/" + resource, List.of(operations.watchList(/* everywhere= */ true)));
    }
    add(watch + scopedBase + resource, List.of(operations.watchList(/* everywhere= */ false)));
    add(watch + scopedBase + resource + "/{name}", List.of(operations.watch()));
  }

  private void add(String path, List<Operation> all) {
    if (!all.isEmpty()) {
      items.add(new PathItem(path, all));
    }
  }
}
