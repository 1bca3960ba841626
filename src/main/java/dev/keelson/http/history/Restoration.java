package dev.keelson.http.history;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.Format;
import dev.keelson.http.media.Negotiation;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectHistory;
import dev.keelson.registry.write.Written;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import java.util.Optional;

/**
 * Brings a revision of an object back: an update if the object exists, else a create, with the
 * rights, validation and admission that these have. The metadata that a server sets is not taken
 * over: the object that is created is a new one.
 */
final class Restoration {

  /** Far more than the items of a history have. */
  private static final int MOST_BYTES = 64 << 10;

  private final GenericRegistry registry;
  private final ObjectHistory history;
  private final BodyWriter writer;
  private final ObjectRights rights;

  Restoration(
      GenericRegistry registry, ObjectHistory history, BodyWriter writer, ObjectRights rights) {
    this.registry = registry;
    this.history = history;
    this.writer = writer;
    this.rights = rights;
  }

  /**
   * Answers a request whose body is an ObjectRevision.
   *
   * @throws ApiException of reason NotFound if the object did not exist at the revision, Expired if
   *     that is no longer kept, Forbidden without the rights; and whatever the write throws
   */
  ApiResponse answer(Exchange exchange, Collection collection, RequestInfo.Resource info) {
    Negotiation.check(exchange.request(), collection.definition());
    UserInfo user = exchange.context().user();
    WriteOptions options =
        QueryOptions.write(exchange, Verb.UPDATE, () -> rights.require(user, "create", info));
    long revision = revision(exchange.request(), info);
    Optional<StoredObject> current = registry.find(collection, info.name());
    rights.require(user, current.isPresent() ? "update" : "create", info);
    StoredObject then =
        history
            .at(collection, info.name(), revision)
            .orElseThrow(
                () ->
                    new ApiException(
                        Reason.NOT_FOUND,
                        "%s \"%s\" did not exist at revision %d"
                            .formatted(
                                collection.definition().groupResource(), info.name(), revision)));
    ApiObject wanted = bare(registry.served(then));
    if (current.isEmpty()) {
      return writer.object(exchange.request(), 201, registry.create(collection, wanted, options));
    }
    // the state that was read: a change in between is a conflict, not overwritten
    ApiObject based =
        wanted.withMeta(
            wanted.meta().withText("resourceVersion", Long.toString(current.get().revision())));
    Written written = registry.replace(collection, info.name(), based, options);
    return writer.object(exchange.request(), written.created() ? 201 : 200, written.object());
  }

  /** Without what a server sets; fields keep their managers, since no managedFields are sent. */
  private static ApiObject bare(ApiObject object) {
    ObjectMeta meta =
        object
            .meta()
            .without("uid")
            .without("resourceVersion")
            .without("generation")
            .without("creationTimestamp")
            .without("deletionTimestamp")
            .without("deletionGracePeriodSeconds")
            .without("managedFields")
            .without("selfLink");
    return object.withMeta(meta);
  }

  private static long revision(ApiRequest request, RequestInfo.Resource info) {
    MapNode body = body(request);
    if (!body.text("kind").equals(RevisionItem.KIND)
        || !body.text("apiVersion").equals(RevisionItem.API_VERSION)) {
      throw ApiException.badRequest(
          "the body must be an object of kind "
              + RevisionItem.KIND
              + " in version "
              + RevisionItem.API_VERSION);
    }
    MapNode metadata = body.map("metadata");
    checkSame("name", metadata.text("name"), info.name());
    checkSame("namespace", metadata.text("namespace"), info.namespace());
    return RevisionNumber.parse("metadata.resourceVersion", metadata.text("resourceVersion"));
  }

  private static void checkSame(String field, String sent, String ofPath) {
    if (!sent.isEmpty() && !sent.equals(ofPath)) {
      throw ApiException.badRequest(
          "the %s of the provided object does not match the %s sent on the request"
              .formatted(field, field));
    }
  }

  private static MapNode body(ApiRequest request) {
    byte[] body = request.body();
    if (body.length > MOST_BYTES) {
      throw new ApiException(
          Reason.REQUEST_ENTITY_TOO_LARGE,
          "the body has %d bytes; at most %d are allowed".formatted(body.length, MOST_BYTES));
    }
    Format format = Negotiation.sent(request);
    TreeBudget budget = TreeBudget.forBody(body.length);
    try {
      Node root =
          switch (format) {
            case JSON -> ObjectReader.untypedJson(body, FieldValidation.IGNORE, budget).root();
            case YAML -> ObjectReader.untypedYaml(body, FieldValidation.IGNORE, budget).root();
            case PROTOBUF ->
                throw ApiException.badRequest(
                    RevisionItem.KIND + " has no form in protobuf; send JSON or YAML");
          };
      return root instanceof MapNode map ? map : MapNode.EMPTY;
    } catch (DecodeException e) {
      throw ApiException.badRequest("the body cannot be read: " + e.text());
    }
  }
}
