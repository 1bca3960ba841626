package dev.keelson.admission.plugin.garbage;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * OwnerReferencesPermissionEnforcement: who changes the owners of an object must be allowed to
 * delete it, and who lets it block the deletion of an owner must be allowed to update the
 * finalizers of the owner.
 */
public final class OwnerReferencesPermissionEnforcement implements Admission {

  private static final GroupResource PODS = new GroupResource("", "pods");

  private final Authorizer authorizer;
  private final ResourceCatalog catalog;

  /**
   * @param catalog finds the resources of owners by their kinds
   */
  public OwnerReferencesPermissionEnforcement(Authorizer authorizer, ResourceCatalog catalog) {
    this.authorizer = authorizer;
    this.catalog = catalog;
  }

  /** The status of a pod cannot change its owners, and old kubelets send none. */
  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && !(resource.equals(PODS) && subresource.equals("status"));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object == null) {
      return;
    }
    List<MapNode> owners = owners(object);
    ApiObject current = call.current();
    List<MapNode> before = current == null ? List.of() : owners(current);
    if (owners.equals(before)) {
      return;
    }
    GroupVersionResource resource = call.definition().gvr();
    Decision decision =
        authorizer.authorize(
            new Attributes(
                call.user(),
                "delete",
                new Attributes.Resource(
                    resource.group(),
                    resource.version(),
                    resource.resource(),
                    call.subresource(),
                    call.namespace(),
                    call.name(),
                    "",
                    "")));
    if (!decision.allowed()) {
      throw call.forbidden(
          "cannot set an ownerRef on a resource you can't delete: " + why(decision));
    }
    Set<String> blocking = new HashSet<>();
    for (MapNode old : before) {
      if (blocks(old)) {
        blocking.add(old.text("uid"));
      }
    }
    for (MapNode owner : owners) {
      if (blocks(owner) && !blocking.contains(owner.text("uid"))) {
        checkOwner(call, owner);
      }
    }
  }

  private void checkOwner(AdmissionAttributes call, MapNode owner) {
    GroupVersion version = GroupVersion.parse(owner.text("apiVersion"));
    List<ResourceDefinition> resources =
        catalog.snapshot().resources(version).stream()
            .filter(each -> each.kind().equals(owner.text("kind")))
            .toList();
    if (resources.isEmpty()) {
      throw call.forbidden(
          "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for"
              + " APIVersion %s Kind %s: no matches for kind \"%s\" in version \"%s\""
                  .formatted(
                      owner.text("apiVersion"),
                      owner.text("kind"),
                      owner.text("kind"),
                      owner.text("apiVersion")));
    }
    for (ResourceDefinition resource : resources) {
      Decision decision =
          authorizer.authorize(
              new Attributes(
                  call.user(),
                  "update",
                  new Attributes.Resource(
                      version.group(),
                      version.version(),
                      resource.gvr().resource(),
                      "finalizers",
                      resource.namespaced() ? call.namespace() : "",
                      owner.text("name"),
                      "",
                      "")));
      if (!decision.allowed()) {
        throw call.forbidden(
            "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
                + " finalizers on: "
                + why(decision));
      }
    }
  }

  private static List<MapNode> owners(ApiObject object) {
    return object.meta().node().maps("ownerReferences");
  }

  private static boolean blocks(MapNode owner) {
    return owner.get("blockOwnerDeletion") == Node.Bool.TRUE;
  }

  /** The reason and the error of a decision, as Go prints them. */
  private static String why(Decision decision) {
    String error = decision.error();
    return decision.reason() + ", " + (error.isEmpty() ? "<nil>" : error);
  }
}
