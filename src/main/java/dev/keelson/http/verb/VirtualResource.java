package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.Verb;
import dev.keelson.http.Query;
import dev.keelson.http.options.ListOptions;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A computed resource or subresource, which is not stored, such as reviews and token requests: the
 * object of a create is returned with a status.
 */
@FunctionalInterface
public interface VirtualResource {

  /**
   * A request.
   *
   * @param verb a verb of the resource in the catalog
   * @param definition the resource or subresource
   * @param info the request info
   * @param context the user
   * @param query the parameters
   * @param object the decoded object; null unless the verb has a body
   */
  record Request(
      Verb verb,
      ResourceDefinition definition,
      RequestInfo.Resource info,
      RequestContext context,
      Query query,
      @Nullable ApiObject object) {

    /** Returns the decoded object. */
    public ApiObject sent() {
      if (object == null) {
        throw new IllegalStateException(verb + " of " + info.resource() + " sends no object");
      }
      return object;
    }
  }

  /**
   * Returns the object of the response in the version of the path; apiVersion and kind are set by
   * the caller.
   *
   * @throws dev.keelson.api.ApiException if the request is invalid
   */
  ApiObject answer(Request request);

  /** The sent object with the defaults of its kind, which admission sees already. */
  default ApiObject defaulted(ApiObject sent) {
    return sent;
  }

  /**
   * Listed objects.
   *
   * @param revision the list's resourceVersion, from which a watch can start; 0 if watches are not
   *     supported
   * @param token the continue token of the next chunk, or empty if this is the last
   */
  record Objects(List<ApiObject> items, long revision, String token) {

    public Objects {
      items = List.copyOf(items);
    }

    /** A whole list. */
    public Objects(List<ApiObject> items, long revision) {
      this(items, revision, "");
    }
  }

  /**
   * Returns the objects of a list that the selectors select. By default these are the ones of
   * {@link #list}, in one chunk; a resource with fields, an order or chunks of its own replaces it.
   */
  default Objects select(Request request, ListQuery selection) {
    checkFields(selection);
    // the newest state satisfies every resourceVersion; invalid combinations are still rejected
    Object unused = ListOptions.list(request.query());
    Objects all = list(request);
    List<ApiObject> selected =
        all.items().stream().filter(object -> matches(selection, object)).toList();
    return new Objects(selected, all.revision(), all.token());
  }

  /** Returns all objects, ordered by name. Only called if the catalog has the verb list. */
  default Objects list(Request request) {
    throw new IllegalStateException(request.info().resource() + " cannot be listed");
  }

  /**
   * Starts a watch. Only called if the catalog has the verb watch.
   *
   * @param selection the selectors, which the resource checks
   * @param start the start of the watch
   * @param wake runs on any thread when there are events to poll; does not block
   */
  default ObjectWatch watch(
      Request request, ListQuery selection, WatchQuery.Start start, Runnable wake) {
    throw new IllegalStateException(request.info().resource() + " cannot be watched");
  }

  /**
   * Checks that a field selector names no other field than the name and the namespace.
   *
   * @throws ApiException of reason BadRequest otherwise
   */
  static void checkFields(ListQuery selection) {
    for (FieldSelector.Term term : selection.fields().terms()) {
      if (!term.field().equals("metadata.name") && !term.field().equals("metadata.namespace")) {
        throw ApiException.badRequest(
            "\""
                + term.field()
                + "\" is not a known field selector: only \"metadata.name\","
                + " \"metadata.namespace\"");
      }
    }
  }

  /**
   * Whether an object matches the label selector and a field selector on metadata.name, the only
   * field.
   */
  static boolean matches(ListQuery selection, ApiObject object) {
    return selection.labels().matches(object.meta().labels())
        && selection
            .fields()
            .matches(field -> field.equals("metadata.name") ? object.meta().name() : "");
  }
}
