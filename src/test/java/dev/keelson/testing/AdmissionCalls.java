package dev.keelson.testing;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests of the built-in types for tests of plugins, with the warnings that they collect. Objects
 * are JSON with single quotes.
 */
public final class AdmissionCalls {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private final List<String> warnings = new ArrayList<>();
  private UserInfo user = new UserInfo("alice", "", List.of(), Map.of());
  private boolean dryRun;

  /** The requests that follow are of this user. */
  public AdmissionCalls as(String name, String... groups) {
    user = new UserInfo(name, "", List.of(groups), Map.of());
    return this;
  }

  /** The requests that follow are dry runs. */
  public AdmissionCalls dryRun() {
    dryRun = true;
    return this;
  }

  /** The warnings of all requests. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** The resource in a version such as {@code apps/v1}. */
  public static ResourceDefinition definition(String version, String resource) {
    return CATALOG.snapshot().find(GroupVersion.parse(version).resource(resource)).orElseThrow();
  }

  /** An object of a resource. */
  public static ApiObject object(String version, String resource, String json) {
    ResourceDefinition definition = definition(version, resource);
    return new ApiObject(tree(json)).withType(definition.gvk().apiVersion(), definition.kind());
  }

  /** A tree of JSON with single quotes. */
  public static MapNode tree(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** A create. */
  public AdmissionAttributes create(String version, String resource, ApiObject object) {
    return call(Verb.CREATE, version, resource, "", object, null);
  }

  /** An update. */
  public AdmissionAttributes update(
      String version, String resource, ApiObject object, ApiObject current) {
    return call(Verb.UPDATE, version, resource, "", object, current);
  }

  /** Any request; at least one of the objects is given. */
  public AdmissionAttributes call(
      Verb operation,
      String version,
      String resource,
      String subresource,
      @Nullable ApiObject object,
      @Nullable ApiObject current) {
    ApiObject about = object == null ? Objects.requireNonNull(current) : object;
    return new AdmissionAttributes(
        operation,
        definition(version, resource),
        subresource,
        about.meta().namespace(),
        about.meta().name(),
        object,
        current,
        AdmissionRequest.of(user, dryRun, warnings::add));
  }
}
