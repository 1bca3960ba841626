package dev.keelson.client.rest;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.Remaining;
import dev.keelson.client.ResourceClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The client of the controllers that otherwise run in a server, for an API server elsewhere. An
 * interrupt ends a call with an error, and stays set.
 */
public final class RestResourceClient implements ResourceClient {

  private static final String NAMED = "metadata.name=";
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final ApiClient reader;
  private final Reading reading;
  private final Function<GroupVersionResource, ApiClient> writers;
  private final Function<GroupVersionResource, Optional<String>> kinds;

  /** How an object is read, which depends on the rights of the reader. */
  public enum Reading {
    /** By a get. */
    GET,
    /** By a list with a field selector, for users who may list and not get. */
    LIST
  }

  /** A call that may be interrupted. */
  @FunctionalInterface
  private interface Call<T> {
    T run() throws InterruptedException;
  }

  /**
   * A client.
   *
   * @param reader may get and list what is asked for
   * @param writers the client that may write a resource
   * @param kinds the kind of a resource, for new objects that do not name it
   */
  public RestResourceClient(
      ApiClient reader,
      Reading reading,
      Function<GroupVersionResource, ApiClient> writers,
      Function<GroupVersionResource, Optional<String>> kinds) {
    this.reader = reader;
    this.reading = reading;
    this.writers = writers;
    this.kinds = kinds;
  }

  private static <T> T call(Call<T> call) {
    try {
      return call.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.SERVICE_UNAVAILABLE, "interrupted");
    }
  }

  @Override
  public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
    return switch (reading) {
      case GET -> call(() -> reader.get(resource, namespace, name));
      case LIST ->
          call(() -> reader.list(new Selection(resource, namespace, "", NAMED + name))).stream()
              .findFirst();
    };
  }

  @Override
  public Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid) {
    Selection named = new Selection(resource, "", "", NAMED + name);
    return call(() -> reader.list(named)).stream()
        .map(ApiObject::meta)
        .filter(meta -> meta.uid().equals(uid))
        .map(ObjectMeta::namespace)
        .findFirst();
  }

  @Override
  public List<ApiObject> list(GroupVersionResource resource, String namespace) {
    return call(() -> reader.list(new Selection(resource, namespace, "", "")));
  }

  @Override
  public int count(GroupVersionResource resource, String namespace) {
    return metadata(resource, namespace).size();
  }

  private List<ApiObject> metadata(GroupVersionResource resource, String namespace) {
    return call(
        () -> reader.list(new Selection(resource, namespace, "", "", /* metadata= */ true)));
  }

  @Override
  public ApiObject create(GroupVersionResource resource, String namespace, ApiObject object) {
    String version = GroupVersion.of(resource).toString();
    ApiObject typed =
        kinds.apply(resource).map(kind -> object.withType(version, kind)).orElse(object);
    ApiObject placed =
        namespace.isEmpty()
            ? typed
            : typed.withMeta(typed.meta().with("namespace", Node.text(namespace)));
    return call(() -> writers.apply(resource).create(resource, placed).object());
  }

  @Override
  public Optional<ApiObject> change(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit) {
    return change(resource, "", namespace, name, edit);
  }

  @Override
  public Optional<ApiObject> changeStatus(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit) {
    return change(resource, "status", namespace, name, edit);
  }

  private Optional<ApiObject> change(
      GroupVersionResource resource,
      String subresource,
      String namespace,
      String name,
      UnaryOperator<ApiObject> edit) {
    while (true) {
      ApiObject current = get(resource, namespace, name).orElse(null);
      if (current == null) {
        return Optional.empty();
      }
      ApiObject edited = edit.apply(current);
      if (edited.equals(current)) {
        return Optional.of(current);
      }
      try {
        return Optional.of(
            call(() -> writers.apply(resource).update(resource, subresource, edited).object()));
      } catch (ApiException e) {
        if (e.reason() == Reason.NOT_FOUND) {
          return Optional.empty();
        }
        if (e.reason() != Reason.CONFLICT) {
          throw e;
        }
        // the next read has the state that was in the way
      }
    }
  }

  @Override
  public void delete(
      GroupVersionResource resource, String namespace, String name, DeleteRequest request) {
    call(
        () -> {
          writers.apply(resource).delete(resource, namespace, name, request);
          return true;
        });
  }

  @Override
  public Remaining deleteAll(GroupVersionResource resource, String namespace) {
    List<ApiObject> found = metadata(resource, namespace);
    if (found.isEmpty()) {
      return new Remaining(0, 0, Map.of());
    }
    try {
      call(
          () -> {
            writers.apply(resource).deleteAll(resource, namespace);
            return true;
          });
    } catch (ApiException e) {
      if (e.reason() != Reason.METHOD_NOT_ALLOWED) {
        throw e;
      }
      found.forEach(object -> deleteIfPresent(resource, object.meta()));
    }
    List<ApiObject> left = metadata(resource, namespace);
    Map<String, Integer> finalizers = new HashMap<>();
    for (ApiObject object : left) {
      for (String finalizer : object.meta().finalizers()) {
        int unused = finalizers.merge(finalizer, 1, Integer::sum);
      }
    }
    return new Remaining(found.size(), left.size(), finalizers);
  }

  private void deleteIfPresent(GroupVersionResource resource, ObjectMeta object) {
    call(
        () -> {
          writers.apply(resource).deleteIfPresent(resource, object);
          return true;
        });
  }

  @Override
  public void finalizeNamespace(String name, String finalizer) {
    Optional<ApiObject> unused =
        change(
            NAMESPACES,
            "finalize",
            "",
            name,
            namespace -> {
              List<Node> left = new ArrayList<>(namespace.root().map("spec").items("finalizers"));
              return left.remove(Node.text(finalizer))
                  ? namespace.with(
                      "spec", namespace.root().map("spec").with("finalizers", new Node.Items(left)))
                  : namespace;
            });
  }
}
