package dev.keelson.admission.plugin.storage;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.DefaultClasses;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.Set;

/** DefaultStorageClass: sets the default StorageClass of a claim that names none. */
public final class DefaultStorageClass implements Admission {

  static final GroupVersionResource CLASSES =
      new GroupVersionResource("storage.k8s.io", "v1", "storageclasses");

  private final DefaultClasses classes;

  public DefaultStorageClass(ClusterObjects objects) {
    classes =
        new DefaultClasses(
            objects,
            CLASSES,
            Set.of(
                "storageclass.kubernetes.io/is-default-class",
                "storageclass.beta.kubernetes.io/is-default-class"));
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && Claims.are(resource) && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (Claims.namesClass(object)) {
      return object;
    }
    return classes
        .name()
        .map(
            name ->
                object.with(
                    "spec", object.root().map("spec").with("storageClassName", Node.text(name))))
        .orElse(object);
  }
}
