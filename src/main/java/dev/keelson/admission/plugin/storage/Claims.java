package dev.keelson.admission.plugin.storage;

import dev.keelson.api.GroupResource;
import dev.keelson.object.ApiObject;

/** Shared code of the plugins for claims. */
final class Claims {

  private static final GroupResource RESOURCE = new GroupResource("", "persistentvolumeclaims");

  /** The class before it was a field. */
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  private Claims() {}

  static boolean are(GroupResource resource) {
    return resource.equals(RESOURCE);
  }

  /** Whether a claim says which class it wants, which may be none. */
  static boolean namesClass(ApiObject claim) {
    return claim.meta().annotations().containsKey(CLASS_ANNOTATION)
        || claim.root().map("spec").has("storageClassName");
  }

  /** The class of a claim, or empty. */
  static String className(ApiObject claim) {
    String annotated = claim.meta().annotations().get(CLASS_ANNOTATION);
    return annotated == null ? claim.root().map("spec").text("storageClassName") : annotated;
  }
}
