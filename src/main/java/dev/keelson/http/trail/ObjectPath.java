package dev.keelson.http.trail;

import dev.keelson.api.ApiException;
import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailQuery;

/**
 * An object whose life is asked for.
 *
 * @param group empty for the core group
 * @param namespace empty for a cluster-scoped object
 */
record ObjectPath(String group, String resource, String namespace, String name) {

  /** Version, resource, namespace and name; a group comes before them. */
  private static final int PARTS = 4;

  /**
   * Reads {@code GROUP/VERSION/RESOURCE/NAMESPACE/NAME}, without the group for the core group; the
   * namespace of a cluster-scoped object is empty. The version does not matter.
   *
   * @throws ApiException of reason BadRequest for anything else
   */
  static ObjectPath parse(String text) {
    String[] parts = text.split("/", -1);
    int first = parts.length - PARTS;
    if (first < 0 || first > 1 || parts[first + 1].isEmpty() || parts[first + 3].isEmpty()) {
      throw ApiException.badRequest(
          "object: expected GROUP/VERSION/RESOURCE/NAMESPACE/NAME, such as"
              + " apps/v1/deployments/default/web, v1/configmaps/default/settings or v1/nodes//n1,"
              + " found \""
              + text
              + "\"");
    }
    return new ObjectPath(
        first == 1 ? parts[0] : "", parts[first + 1], parts[first + 2], parts[first + 3]);
  }

  /** The writes of the object that had effect, or may have had as dry runs. */
  TrailQuery changes(TrailQuery query) {
    return query
        .and(TrailQuery.is(TrailField.API_GROUP, group))
        .and(TrailQuery.is(TrailField.RESOURCE, resource))
        .and(TrailQuery.is(TrailField.NAMESPACE, namespace))
        .and(TrailQuery.is(TrailField.NAME, name))
        .and(TrailQuery.is(TrailField.STAGE, "ResponseComplete"))
        .and(TrailQuery.is(TrailField.VERB, "create", "update", "patch", "delete"))
        .and(TrailQuery.is(TrailField.CODE, "2xx"));
  }
}
