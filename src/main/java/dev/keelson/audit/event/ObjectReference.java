package dev.keelson.audit.event;

import dev.keelson.request.RequestInfo;

/**
 * The object that a request is about; absent parts are empty.
 *
 * @param resource the plural name
 * @param apiGroup the group, empty for the core group
 * @param apiVersion the version without the group
 */
public record ObjectReference(
    String resource,
    String namespace,
    String name,
    String uid,
    String apiGroup,
    String apiVersion,
    String resourceVersion,
    String subresource) {

  /** What the path of the request says. */
  public static ObjectReference of(RequestInfo.Resource info) {
    return new ObjectReference(
        info.resource(),
        info.namespace(),
        info.name(),
        "",
        info.groupVersion().group(),
        info.groupVersion().version(),
        "",
        info.subresource());
  }

  /** The same with what the request object says where the path says nothing. */
  public ObjectReference completedBy(ObjectIdentity object) {
    return new ObjectReference(
        resource,
        or(namespace, object.namespace()),
        or(name, object.name()),
        or(uid, object.uid()),
        apiGroup,
        apiVersion,
        or(resourceVersion, object.resourceVersion()),
        subresource);
  }

  private static String or(String known, String other) {
    return known.isEmpty() ? other : known;
  }
}
