package dev.keelson.admission;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;

/** Converts objects between the versions of their kind. Safe for use by several threads. */
@FunctionalInterface
public interface ObjectVersions {

  /** Of objects that have one version. */
  ObjectVersions NONE = (object, from, to) -> object;

  /**
   * The object in another version of its kind; the object itself if the version is the same.
   *
   * @throws dev.keelson.api.ApiException if a conversion webhook fails
   */
  ApiObject convert(ApiObject object, GroupVersionKind from, GroupVersionKind to);
}
