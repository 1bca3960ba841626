package dev.keelson.http.verb;

import dev.keelson.api.Verb;
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
   * @param object the decoded object; null unless the verb has a body
   */
  record Request(
      Verb verb,
      ResourceDefinition definition,
      RequestInfo.Resource info,
      RequestContext context,
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

  /**
   * Listed objects.
   *
   * @param revision the list's resourceVersion, from which a watch can start; 0 if watches are not
   *     supported
   */
  record Objects(List<ApiObject> items, long revision) {

    public Objects {
      items = List.copyOf(items);
    }
  }

  /**
   * Returns all objects, ordered by name; the caller applies the selectors. Only called if the
   * catalog has the verb list.
   */
  default Objects list(Request request) {
    throw new IllegalStateException(request.info().resource() + " cannot be listed");
  }

  /**
   * Starts a watch. Only called if the catalog has the verb watch.
   *
   * @param selection the label and name selectors
   * @param start the start of the watch
   * @param wake runs on any thread when there are events to poll; does not block
   */
  default ObjectWatch watch(
      Request request, ListQuery selection, WatchQuery.Start start, Runnable wake) {
    throw new IllegalStateException(request.info().resource() + " cannot be watched");
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
