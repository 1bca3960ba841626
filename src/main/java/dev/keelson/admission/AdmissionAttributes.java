package dev.keelson.admission;

import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a write (source: apiserver's {@code admission.Attributes}). Objects are in the
 * stored version.
 *
 * @param operation CREATE, UPDATE, DELETE or CONNECT; a patch is an UPDATE or a CREATE
 * @param definition the resource in the version of the request
 * @param subresource the subresource, or empty
 * @param namespace empty for cluster-scoped objects
 * @param name empty if it is to be generated
 * @param object the object to store; null for a delete
 * @param current the stored object; null for a create
 * @param user the user of the request
 * @param dryRun whether the write is a dry run: plugins must have no side effects
 * @param warnings takes warnings for the client
 */
public record AdmissionAttributes(
    Verb operation,
    ResourceDefinition definition,
    String subresource,
    String namespace,
    String name,
    @Nullable ApiObject object,
    @Nullable ApiObject current,
    UserInfo user,
    boolean dryRun,
    Consumer<String> warnings) {

  /** Returns these attributes with another object. */
  public AdmissionAttributes withObject(ApiObject next) {
    return new AdmissionAttributes(
        operation, definition, subresource, namespace, name, next, current, user, dryRun, warnings);
  }

  /** Whether the write is of a resource of the API, in any version; also of its subresources. */
  public boolean concerns(String group, String resource) {
    return definition.gvr().group().equals(group) && definition.gvr().resource().equals(resource);
  }

  /** The error of a plugin that rejects the write. */
  public ApiException forbidden(String why) {
    return ApiException.forbidden(definition.groupResource(), name, why);
  }
}
