package dev.keelson.admission;

import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A write as admission sees it. Objects are in the stored version.
 *
 * @param operation CREATE, UPDATE, DELETE or CONNECT; a patch is an UPDATE or a CREATE by what it
 *     does
 * @param definition the resource in the version of the request
 * @param subresource its name, or empty for the main resource
 * @param namespace empty for cluster-scoped objects
 * @param name empty if it is still to be generated
 * @param object the object as it is to be stored; null for a delete
 * @param current the object as it is stored; null for a create
 * @param user who asks
 * @param dryRun whether the write is not meant: steps must leave nothing behind
 * @param warnings takes texts for the person who reads the answer
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

  /** The same call about {@code next}. */
  public AdmissionAttributes withObject(ApiObject next) {
    return new AdmissionAttributes(
        operation, definition, subresource, namespace, name, next, current, user, dryRun, warnings);
  }
}
