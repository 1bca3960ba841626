package dev.keelson.registry.subresource;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.ObjectPart;
import java.util.List;

/**
 * Asks for a rollback of a Deployment as clients of {@code extensions/v1beta1} do: the deployment
 * controller finds the wanted revision in an annotation and rolls back.
 */
public final class DeploymentRollback {

  private static final String ROLLBACK_TO = "deprecated.deployment.rollback.to";
  private static final GroupVersionKind KIND =
      new GroupVersionKind("extensions", "v1beta1", "DeploymentRollback");

  private final GenericRegistry registry;

  public DeploymentRollback(GenericRegistry registry) {
    this.registry = registry;
  }

  /**
   * Requests the rollback of the Deployment {@code name} to a revision.
   *
   * @param sent a DeploymentRollback
   * @throws ApiException of reason NotFound, Invalid, or BadRequest if it names another Deployment
   */
  public void rollBack(Collection deployments, String name, ApiObject sent, WriteOptions options) {
    MapNode rollback =
        registry.admitUnstored(Verb.CREATE, deployments, "rollback", name, sent, options).root();
    if (rollback.text("name").isEmpty()) {
      throw ApiException.invalid(
          KIND, "", List.of(FieldCause.required("name", "name is required")));
    }
    if (!rollback.text("name").equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in DeploymentRollback object");
    }
    Node revision = rollback.map("rollbackTo").get("revision");
    String target = revision instanceof Node.Int number ? Long.toString(number.value()) : "0";
    StoredObject unused =
        registry.edit(
            deployments,
            name,
            ObjectPart.ROLLBACK,
            current -> annotated(current, rollback.map("updatedAnnotations"), target),
            options.unadmitted());
  }

  private static ApiObject annotated(ApiObject deployment, MapNode updates, String target) {
    MapNode.Builder annotations = deployment.meta().node().map("annotations").toBuilder();
    updates.texts().forEach((key, value) -> annotations.set(key, Node.text(value)));
    annotations.set(ROLLBACK_TO, Node.text(target));
    return deployment.withMeta(
        deployment.meta().without("resourceVersion").with("annotations", annotations.build()));
  }
}
