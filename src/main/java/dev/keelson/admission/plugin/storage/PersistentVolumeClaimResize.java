package dev.keelson.admission.plugin.storage;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;

/**
 * PersistentVolumeClaimResize: a claim may grow if it is bound and its StorageClass allows volume
 * expansion.
 */
public final class PersistentVolumeClaimResize implements Admission {

  private final ClusterObjects objects;

  public PersistentVolumeClaimResize(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.UPDATE && Claims.are(resource) && subresource.isEmpty();
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next == null || current == null || size(next).compareTo(size(current)) <= 0) {
      return;
    }
    if (!current.root().map("status").text("phase").equals("Bound")) {
      throw call.forbidden("Only bound persistent volume claims can be expanded");
    }
    if (!expandable(next, current)) {
      throw call.forbidden(
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the"
              + " pvc must support resize");
    }
  }

  private boolean expandable(ApiObject next, ApiObject current) {
    String name = Claims.className(next);
    return !name.isEmpty()
        && name.equals(Claims.className(current))
        && objects
            .find(DefaultStorageClass.CLASSES, "", name)
            .filter(found -> found.root().get("allowVolumeExpansion") == Node.Bool.TRUE)
            .isPresent();
  }

  private static BigDecimal size(ApiObject claim) {
    String text = claim.root().map("spec").map("resources").map("requests").text("storage");
    return Quantity.tryParse(text).map(Quantity::amount).orElse(BigDecimal.ZERO);
  }
}
