package dev.keelson.client.rest;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiTransport.Answer;
import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.client.rest.ApiTransport.Request;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.ManagedFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Verbs on objects of an API server as one user. Objects have no managed fields: an update without
 * them keeps those that are stored. Every method blocks, and throws the server's error as an {@link
 * ApiException}; one of reason ServiceUnavailable if there is no answer, after which a write may or
 * may not have been done. Safe for use by several threads.
 */
public final class ApiClient {

  private static final String PAGE = "500";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final Map<String, String> NO_QUERY = Map.of();

  private final ApiTransport transport;

  /** The format of a patch. */
  public enum Patch {
    /** A merge by the keys of lists, for built-in types. */
    STRATEGIC_MERGE("application/strategic-merge-patch+json"),
    /** RFC 7386. */
    MERGE("application/merge-patch+json"),
    /** RFC 6902. */
    JSON("application/json-patch+json");

    private final String mediaType;

    Patch(String mediaType) {
      this.mediaType = mediaType;
    }
  }

  /**
   * The objects of a list or watch.
   *
   * @param namespace empty for all namespaces, or a cluster-scoped resource
   * @param labels a label selector; empty for all objects
   * @param fields a field selector; empty for all objects
   * @param metadata whether only the metadata of the objects is wanted
   */
  public record Selection(
      GroupVersionResource resource,
      String namespace,
      String labels,
      String fields,
      boolean metadata) {

    /** Whole objects. */
    public Selection(
        GroupVersionResource resource, String namespace, String labels, String fields) {
      this(resource, namespace, labels, fields, /* metadata= */ false);
    }

    /** The metadata of all objects of a resource, as PartialObjectMetadata. */
    public static Selection metadataOf(GroupVersionResource resource) {
      return new Selection(resource, "", "", "", /* metadata= */ true);
    }

    /** All objects of a resource. */
    public static Selection of(GroupVersionResource resource) {
      return new Selection(resource, "", "", "");
    }

    private Map<String, String> query() {
      Map<String, String> query = new LinkedHashMap<>();
      if (!labels.isEmpty()) {
        query.put("labelSelector", labels);
      }
      if (!fields.isEmpty()) {
        query.put("fieldSelector", fields);
      }
      return query;
    }

    private String path() {
      return ResourcePaths.collection(resource, namespace);
    }
  }

  /** A client of a transport. */
  public ApiClient(ApiTransport transport) {
    this.transport = transport;
  }

  /** Gets the newest state of an object; empty if it does not exist. */
  public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name)
      throws InterruptedException {
    Answer answer =
        send(Request.of("GET", ResourcePaths.object(resource, namespace, name), NO_QUERY));
    if (answer.status() == 404) {
      ApiException error = StatusErrors.of(answer);
      if (error.reason() == Reason.NOT_FOUND) {
        return Optional.empty();
      }
      throw error;
    }
    return Optional.of(object(answer));
  }

  /** Gets a subresource of an object, such as {@code scale}; empty if there is none. */
  public Optional<ApiObject> get(
      GroupVersionResource resource, String namespace, String name, String subresource)
      throws InterruptedException {
    return document(ResourcePaths.object(resource, namespace, name) + "/" + subresource)
        .map(ApiObject::new);
  }

  /** Gets what is at a path, such as {@code /apis/apps/v1}; empty if there is nothing. */
  public Optional<MapNode> document(String path) throws InterruptedException {
    Answer answer = send(Request.of("GET", path, NO_QUERY));
    return answer.status() == 404 ? Optional.empty() : Optional.of(tree(answer));
  }

  /**
   * Gets what is at a path.
   *
   * @param query the parameters, not encoded
   */
  public MapNode read(String path, Map<String, String> query) throws InterruptedException {
    return tree(send(Request.of("GET", path, query)));
  }

  /**
   * Objects of one revision.
   *
   * @param resourceVersion from which a watch continues
   */
  public record Listed(List<ApiObject> objects, String resourceVersion) {
    public Listed {
      objects = List.copyOf(objects);
    }
  }

  /** Lists the newest state of objects. */
  public List<ApiObject> list(Selection selection) throws InterruptedException {
    return listWithRevision(selection).objects();
  }

  /** Lists the newest state of objects, in chunks of one revision. */
  public Listed listWithRevision(Selection selection) throws InterruptedException {
    List<ApiObject> objects = new ArrayList<>();
    String token = "";
    MapNode page;
    do {
      page = chunk(selection, PAGE, token);
      objects.addAll(objects(page));
      token = page.map("metadata").text("continue");
    } while (!token.isEmpty());
    return new Listed(objects, page.map("metadata").text("resourceVersion"));
  }

  /** Uses the objects of one chunk of a list. */
  @FunctionalInterface
  public interface ChunkReader {

    /**
     * Reads a chunk.
     *
     * @return whether the next one is wanted
     */
    boolean read(List<ApiObject> objects) throws InterruptedException;
  }

  /**
   * Lists the newest state of objects, in chunks of one revision of which one is held at a time.
   */
  public void listInChunks(Selection selection, ChunkReader reader) throws InterruptedException {
    String token = "";
    do {
      MapNode page = chunk(selection, PAGE, token);
      token = page.map("metadata").text("continue");
      if (!reader.read(objects(page))) {
        return;
      }
    } while (!token.isEmpty());
  }

  /** The newest revision of a resource, without its objects. */
  public String newestRevision(GroupVersionResource resource) throws InterruptedException {
    return chunk(Selection.of(resource), "1", "").map("metadata").text("resourceVersion");
  }

  private MapNode chunk(Selection selection, String limit, String token)
      throws InterruptedException {
    Map<String, String> query = selection.query();
    query.put("limit", limit);
    if (!token.isEmpty()) {
      query.put("continue", token);
    }
    String accept = selection.metadata() ? METADATA_LIST : ApiTransport.JSON;
    Answer answer = send(Request.accepting(accept, selection.path(), query));
    requireDone(answer);
    return Written.tree(ManagedFields.removedFromList(answer.body()));
  }

  private static List<ApiObject> objects(MapNode page) {
    return page.maps("items").stream().map(item -> typed(item, page)).toList();
  }

  /** The items of a list of a built-in type do not name their type. */
  private static ApiObject typed(MapNode item, MapNode list) {
    ApiObject object = new ApiObject(item);
    String kind = list.text("kind");
    return item.has("kind") || !kind.endsWith("List")
        ? object
        : object.withType(list.text("apiVersion"), kind.substring(0, kind.length() - 4));
  }

  /** Creates an object. */
  public Written create(GroupVersionResource resource, ApiObject object)
      throws InterruptedException {
    String path = ResourcePaths.collection(resource, object.meta().namespace());
    return written(send(body("POST", path, ApiTransport.JSON, object.root())));
  }

  /** Creates an object of a subresource, such as a binding, and returns the answer. */
  public Written create(
      GroupVersionResource resource,
      String namespace,
      String name,
      String subresource,
      ApiObject object)
      throws InterruptedException {
    String path = ResourcePaths.object(resource, namespace, name) + "/" + subresource;
    return written(send(body("POST", path, ApiTransport.JSON, object.root())));
  }

  /** Updates an object, if it has the resourceVersion, and returns the answer. */
  public Written update(GroupVersionResource resource, ApiObject object)
      throws InterruptedException {
    return update(resource, "", object);
  }

  /** Updates the status of an object, if it has the resourceVersion, and returns the answer. */
  public Written updateStatus(GroupVersionResource resource, ApiObject object)
      throws InterruptedException {
    return update(resource, "status", object);
  }

  /**
   * Updates a subresource of an object, if it has the resourceVersion, and returns the answer.
   *
   * @param subresource such as {@code approval}; empty for the object itself
   */
  public Written update(GroupVersionResource resource, String subresource, ApiObject object)
      throws InterruptedException {
    String suffix = subresource.isEmpty() ? "" : "/" + subresource;
    ObjectMeta meta = object.meta();
    String path = ResourcePaths.object(resource, meta.namespace(), meta.name()) + suffix;
    return written(send(body("PUT", path, ApiTransport.JSON, object.root())));
  }

  /**
   * Patches an object and returns the answer.
   *
   * @param subresource empty for the object itself
   */
  public Written patch(
      GroupVersionResource resource,
      String namespace,
      String name,
      String subresource,
      Patch format,
      Node patch)
      throws InterruptedException {
    String path = ResourcePaths.object(resource, namespace, name);
    String whole = subresource.isEmpty() ? path : path + "/" + subresource;
    return written(send(body("PATCH", whole, format.mediaType, patch)));
  }

  /**
   * Applies an object (server-side apply) and returns the answer.
   *
   * @param manager the field manager
   */
  public Written apply(GroupVersionResource resource, ApiObject object, String manager)
      throws InterruptedException {
    ObjectMeta meta = object.meta();
    return written(
        send(
            new Request(
                "PATCH",
                ResourcePaths.object(resource, meta.namespace(), meta.name()),
                Map.of("fieldManager", manager),
                APPLY,
                ObjectWriter.json(object.root()))));
  }

  /**
   * Deletes exactly this object, if it is still there.
   *
   * @param object the metadata of the object as it was read
   */
  public void deleteIfPresent(GroupVersionResource resource, ObjectMeta object)
      throws InterruptedException {
    boolean unused =
        deleteIfPresent(
            resource,
            object.namespace(),
            object.name(),
            new DeleteRequest(object.uid(), "", DeleteRequest.Dependents.DEFAULT));
  }

  /**
   * Deletes an object, if it is still there and still the one that the options name.
   *
   * @param options with a uid or resourceVersion, another object of the name or another state of
   *     the object is not deleted
   * @return whether it was there
   */
  public boolean deleteIfPresent(
      GroupVersionResource resource, String namespace, String name, DeleteRequest options)
      throws InterruptedException {
    try {
      delete(resource, namespace, name, options);
      return true;
    } catch (ApiException e) {
      boolean conditional = !options.uid().isEmpty() || !options.resourceVersion().isEmpty();
      if (e.reason() == Reason.NOT_FOUND || (conditional && e.reason() == Reason.CONFLICT)) {
        return false;
      }
      throw e;
    }
  }

  /** Deletes an object; an error of reason NotFound tells that it did not exist. */
  public void delete(
      GroupVersionResource resource, String namespace, String name, DeleteRequest options)
      throws InterruptedException {
    requireDone(
        send(
            body(
                "DELETE",
                ResourcePaths.object(resource, namespace, name),
                ApiTransport.JSON,
                options(options))));
  }

  private static MapNode options(DeleteRequest request) {
    MapNode.Builder options =
        MapNode.builder(5)
            .put("kind", Node.text("DeleteOptions"))
            .put("apiVersion", Node.text("v1"));
    MapNode preconditions = MapNode.EMPTY;
    if (!request.uid().isEmpty()) {
      preconditions = preconditions.with("uid", Node.text(request.uid()));
    }
    if (!request.resourceVersion().isEmpty()) {
      preconditions = preconditions.with("resourceVersion", Node.text(request.resourceVersion()));
    }
    if (!preconditions.isEmpty()) {
      options.put("preconditions", preconditions);
    }
    if (request.dependents() != DeleteRequest.Dependents.DEFAULT) {
      String word = request.dependents().name();
      options.put(
          "propagationPolicy",
          Node.text(word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT)));
    }
    Long grace = request.graceSeconds();
    if (grace != null) {
      options.put("gracePeriodSeconds", new Node.Int(grace));
    }
    return options.build();
  }

  /** Gets what is at a path in the form of a media type. */
  public MapNode readAs(String accept, String path) throws InterruptedException {
    return tree(send(Request.accepting(accept, path, NO_QUERY)));
  }

  /** Deletes all objects of a collection, with background propagation. */
  public void deleteAll(GroupVersionResource resource, String namespace)
      throws InterruptedException {
    DeleteRequest request = new DeleteRequest("", "", DeleteRequest.Dependents.BACKGROUND);
    requireDone(
        send(
            body(
                "DELETE",
                ResourcePaths.collection(resource, namespace),
                ApiTransport.JSON,
                options(request))));
  }

  /**
   * Starts a watch.
   *
   * @param options further parameters, such as {@code resourceVersion}
   */
  public EventStream watch(Selection selection, Map<String, String> options)
      throws InterruptedException {
    Map<String, String> query = selection.query();
    query.putAll(options);
    query.put("watch", "true");
    try {
      return transport.watch(
          Request.accepting(
              selection.metadata() ? METADATA : ApiTransport.JSON, selection.path(), query));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private Answer send(Request request) throws InterruptedException {
    try {
      return transport.send(request);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private static ApiException unavailable(IOException e) {
    String message = e.getMessage();
    return new ApiException(
        Reason.SERVICE_UNAVAILABLE, message == null ? e.toString() : message, ErrorDetails.NONE, e);
  }

  private static Request body(String method, String path, String contentType, Node body) {
    return new Request(method, path, NO_QUERY, contentType, ObjectWriter.json(body));
  }

  private static ApiObject object(Answer answer) {
    return written(answer).object();
  }

  private static Written written(Answer answer) {
    requireDone(answer);
    return new Written(answer.body());
  }

  private static MapNode tree(Answer answer) {
    requireDone(answer);
    return Written.tree(answer.body());
  }

  private static void requireDone(Answer answer) {
    if (answer.status() < 200 || answer.status() > 299) {
      throw StatusErrors.of(answer);
    }
  }
}
