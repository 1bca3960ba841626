package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.PathErrors;
import dev.keelson.http.StatusBody;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.Collection;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Set;

/**
 * Creates on a subresource of an object, such as binding and eviction; the response is a Status
 * with code 201.
 */
final class NamedCreateVerbs {

  private static final int DONE = 201;

  /** Old clients send Evictions of policy/v1beta1; the fields are the same. */
  private static final Set<String> OLD_EVICTIONS = Set.of("policy/v1beta1");

  /** Deletes objects that cannot be read, without regard to anything that depends on them. */
  private static final String UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

  private final Subresources actions;
  private final ResourceCatalog catalog;
  private final BodyReader reader;
  private final BodyWriter writer;

  NamedCreateVerbs(
      Subresources actions, ResourceCatalog catalog, BodyReader reader, BodyWriter writer) {
    this.actions = actions;
    this.catalog = catalog;
    this.reader = reader;
    this.writer = writer;
  }

  /** Creates a Binding at {@code pods/NAME/binding}. */
  ApiResponse bindPod(ResourceCall call) {
    ApiObject binding = body(call, Set.of());
    actions
        .binding()
        .bind(
            call.collection(),
            call.info().subresource(),
            call.collection(),
            call.info().name(),
            binding,
            call.writeOptions());
    return done(call, DONE, "");
  }

  /** Creates a Binding at {@code bindings}; its name is that of the pod. */
  ApiResponse bind(ResourceCall call) {
    ApiObject binding = inNamespace(call, reader.object(call.exchange(), call.definition()));
    ResourceDefinition pods =
        catalog
            .snapshot()
            .find(GroupVersion.of(call.definition().gvr()).resource("pods"))
            .orElseThrow(PathErrors::unknownPath);
    actions
        .binding()
        .bind(
            call.collection(),
            "",
            new Collection(pods, call.info().namespace()),
            binding.meta().name(),
            binding,
            call.writeOptions());
    return done(call, DONE, "");
  }

  /** Creates an Eviction of a pod. */
  ApiResponse evict(ResourceCall call) {
    WriteOptions sent = call.writeOptions();
    String name = call.info().name();
    ApiObject eviction = body(call, OLD_EVICTIONS);
    if (!eviction.meta().name().equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    if (eviction.root().map("deleteOptions").get(UNSAFE) == Node.Bool.TRUE) {
      throw ApiException.invalid(
          new GroupVersion("policy", "v1").kind("Eviction"),
          name,
          List.of(
              new FieldCause(
                  "FieldValueInvalid",
                  "Invalid value: true: can not be set for pod eviction, try after removing the"
                      + " option",
                  "deleteOptions." + UNSAFE)));
    }
    // only the dry run of the query is one for admission, as in Kubernetes
    ApiObject admitted = actions.eviction().admit(call.collection(), name, eviction, sent);
    DeleteOptionsReader.Options asked = asked(call, admitted);
    actions
        .eviction()
        .evict(call.collection(), name, asked.query(), asked.dryRun() ? sent.asDryRun() : sent);
    return done(call, DONE, "");
  }

  private static DeleteOptionsReader.Options asked(ResourceCall call, ApiObject eviction) {
    return DeleteOptionsReader.of(eviction.root().map("deleteOptions"), call.request().query());
  }

  /** Creates a DeploymentRollback of a Deployment. */
  ApiResponse rollBack(ResourceCall call) {
    WriteOptions options = call.writeOptions();
    ApiObject rollback = body(call, Set.of());
    actions.rollback().rollBack(call.collection(), call.info().name(), rollback, options);
    // the Status has code 200 in a response of 201, as in Kubernetes
    return done(
        call, 200, "rollback request for deployment \"" + call.info().name() + "\" succeeded");
  }

  private ApiObject body(ResourceCall call, Set<String> otherApiVersions) {
    ResourceDefinition definition =
        SubresourceDefinition.of(call.definition(), call.info().subresource());
    return inNamespace(call, reader.object(call.exchange(), definition, otherApiVersions));
  }

  private static ApiObject inNamespace(ResourceCall call, ApiObject object) {
    String own = object.meta().namespace();
    if (!own.isEmpty() && !own.equals(call.info().namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    return object;
  }

  private ApiResponse done(ResourceCall call, int code, String message) {
    return writer.status(call.request(), DONE, StatusBody.success(code, message));
  }
}
