package dev.keelson.registry.generic;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import java.util.List;

/**
 * Checks that the name and the namespace of an object that was sent, or that a patch made, are
 * those of the path (source: kube-apiserver's {@code EnsureObjectNamespaceMatchesRequestNamespace}
 * and its check of names).
 */
final class NameChecks {

  private NameChecks() {}

  /**
   * Rejects a patch that changes the identity of the object. Unlike in a replace, the uid is not a
   * precondition but an immutable field.
   */
  static ApiObject sameObject(
      Collection collection, String name, ApiObject wanted, ApiObject current) {
    ApiObject same = patched(collection, name, wanted);
    String uid = wanted.meta().uid();
    if (!uid.isEmpty() && !uid.equals(current.meta().uid())) {
      throw ApiException.invalid(
          collection.definition().gvk(),
          name,
          List.of(FieldCause.invalid("metadata.uid", uid, "field is immutable")));
    }
    return same;
  }

  /**
   * Sets the namespace of the path; a different one is an error. The namespace of cluster-scoped
   * objects is removed, as in Kubernetes: many charts set one on cluster roles.
   */
  static ApiObject inNamespace(Collection collection, ApiObject object) {
    String own = object.meta().namespace();
    if (collection.definition().namespaced()
        && !own.isEmpty()
        && !own.equals(collection.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    return object.withMeta(object.meta().withText("namespace", collection.namespace()));
  }

  /**
   * Checks the name and namespace of a patched object; Kubernetes' messages differ from those of a
   * replace.
   */
  static ApiObject patched(Collection collection, String name, ApiObject object) {
    ApiObject named = named(name, object);
    String own = object.meta().namespace();
    if (!collection.namespace().isEmpty()
        && !own.isEmpty()
        && !own.equals(collection.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the object ("
              + own
              + ") does not match the namespace on the request ("
              + collection.namespace()
              + ")");
    }
    return inNamespace(collection, named);
  }

  static ApiObject named(String name, ApiObject object) {
    String own = object.meta().name();
    if (own.isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object ("
              + name
              + " based on URL) was undeterminable: name must be provided");
    }
    if (!own.equals(name)) {
      throw ApiException.badRequest(
          "the name of the object (" + own + ") does not match the name on the URL (" + name + ")");
    }
    return object;
  }
}
