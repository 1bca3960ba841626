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
 * A resource, or subresource, of which nothing is stored: every request is answered from elsewhere.
 * Reviews and token requests are of this kind: a question is sent as an object to be created, and
 * comes back with the answer in its status.
 */
@FunctionalInterface
public interface VirtualResource {

  /**
   * A request for one.
   *
   * @param verb one of the verbs that the catalog gives the resource
   * @param definition the resource, or the subresource as if it were one
   * @param info the path
   * @param context who asks
   * @param object what was sent, checked against the schema; null unless the verb sends one
   */
  record Request(
      Verb verb,
      ResourceDefinition definition,
      RequestInfo.Resource info,
      RequestContext context,
      @Nullable ApiObject object) {

    /** What was sent. */
    public ApiObject sent() {
      if (object == null) {
        throw new IllegalStateException(verb + " of " + info.resource() + " sends no object");
      }
      return object;
    }
  }

  /**
   * The object to answer with, in the version of the path; its type is filled in.
   *
   * @throws dev.keelson.api.ApiException if the request is wrong
   */
  ApiObject answer(Request request);

  /**
   * Objects at some moment.
   *
   * @param revision the list's resourceVersion, from which a watch can go on; 0 where none can
   */
  record Objects(List<ApiObject> items, long revision) {

    public Objects {
      items = List.copyOf(items);
    }
  }

  /**
   * The objects of a list, in the order of their names; what does not match the request's selectors
   * is left out by the caller. Asked only of resources that the catalog gives the verb list.
   */
  default Objects list(Request request) {
    throw new IllegalStateException(request.info().resource() + " cannot be listed");
  }

  /**
   * Begins a watch. Asked only of resources that the catalog gives the verb watch.
   *
   * @param selection which objects; by labels and by name
   * @param start where to begin
   * @param wake is to be run, on any thread, when there is more to poll; does not block
   */
  default ObjectWatch watch(
      Request request, ListQuery selection, WatchQuery.Start start, Runnable wake) {
    throw new IllegalStateException(request.info().resource() + " cannot be watched");
  }

  /**
   * Whether an object of a virtual resource matches: by its labels, and by its name, which is the
   * only field.
   */
  static boolean matches(ListQuery selection, ApiObject object) {
    return selection.labels().matches(object.meta().labels())
        && selection
            .fields()
            .matches(field -> field.equals("metadata.name") ? object.meta().name() : "");
  }
}
