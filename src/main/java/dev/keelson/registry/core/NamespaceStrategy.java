package dev.keelson.registry.core;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import java.util.List;
import java.util.Set;

/**
 * Sets the finalizer {@code kubernetes} in the spec, which keeps a namespace until its content is
 * deleted, and a label with its name.
 */
public final class NamespaceStrategy implements KindStrategy {

  private static final String FINALIZER = "kubernetes";
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final Set<String> PERMANENT = Set.of("default", "kube-system", "kube-public");

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    MapNode spec = object.root().map("spec");
    List<Node> finalizers = spec.items("finalizers");
    if (!finalizers.contains(Node.text(FINALIZER))) {
      List<Node> more = new java.util.ArrayList<>(finalizers);
      more.add(Node.text(FINALIZER));
      spec = spec.with("finalizers", new Node.Items(more));
    }
    return labelled(object)
        .with("spec", spec)
        .with("status", MapNode.of("phase", Node.text("Active")));
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode spec = object.root().map("spec");
    Node finalizers = current.root().map("spec").get("finalizers");
    return labelled(object)
        .with(
            "spec",
            finalizers == null ? spec.without("finalizers") : spec.with("finalizers", finalizers));
  }

  @Override
  public boolean holdsDeletion(ApiObject object) {
    return !object.root().map("spec").items("finalizers").isEmpty();
  }

  @Override
  public ApiObject onDeletionBegun(ApiObject object) {
    MapNode status = object.root().map("status");
    return object.with("status", status.with("phase", Node.text("Terminating")));
  }

  @Override
  public void checkDelete(ApiObject object) {
    if (PERMANENT.contains(object.meta().name())) {
      throw ApiException.forbidden(
          new GroupResource("", "namespaces"),
          object.meta().name(),
          "this namespace may not be deleted");
    }
  }

  private static ApiObject labelled(ApiObject object) {
    MapNode labels = object.meta().node().map("labels");
    return object.withMeta(
        object.meta().with("labels", labels.with(NAME_LABEL, Node.text(object.meta().name()))));
  }
}
