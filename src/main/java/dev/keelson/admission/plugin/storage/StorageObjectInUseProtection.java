package dev.keelson.admission.plugin.storage;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * StorageObjectInUseProtection: adds the finalizer that keeps a claim while a pod uses it, and a
 * volume while it is bound. Controllers remove it.
 */
public final class StorageObjectInUseProtection implements Admission {

  private static final Map<String, String> FINALIZERS =
      Map.of(
          "persistentvolumeclaims", "kubernetes.io/pvc-protection",
          "persistentvolumes", "kubernetes.io/pv-protection");

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE
        && resource.group().isEmpty()
        && FINALIZERS.containsKey(resource.resource())
        && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    String finalizer = FINALIZERS.get(call.definition().gvr().resource());
    List<String> finalizers = object.meta().finalizers();
    if (finalizer == null || finalizers.contains(finalizer)) {
      return object;
    }
    List<String> all = new ArrayList<>(finalizers);
    all.add(finalizer);
    return object.withMeta(object.meta().with("finalizers", Node.texts(all)));
  }
}
