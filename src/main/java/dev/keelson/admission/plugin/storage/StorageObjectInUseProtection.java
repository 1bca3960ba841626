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
 * StorageObjectInUseProtection: adds the finalizer that keeps a claim while a pod uses it, a volume
 * while it is bound, and an attributes class while claims or volumes name it. Controllers remove
 * it.
 */
public final class StorageObjectInUseProtection implements Admission {

  private static final Map<GroupResource, String> FINALIZERS =
      Map.of(
          new GroupResource("", "persistentvolumeclaims"),
          "kubernetes.io/pvc-protection",
          new GroupResource("", "persistentvolumes"),
          "kubernetes.io/pv-protection",
          new GroupResource("storage.k8s.io", "volumeattributesclasses"),
          "kubernetes.io/vac-protection");

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && FINALIZERS.containsKey(resource) && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    String finalizer = FINALIZERS.get(call.definition().groupResource());
    List<String> finalizers = object.meta().finalizers();
    if (finalizer == null || finalizers.contains(finalizer)) {
      return object;
    }
    List<String> all = new ArrayList<>(finalizers);
    all.add(finalizer);
    return object.withMeta(object.meta().with("finalizers", Node.texts(all)));
  }
}
