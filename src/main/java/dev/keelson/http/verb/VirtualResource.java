package dev.keelson.http.verb;

import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource of which nothing is stored: every request is answered from elsewhere. Reviews are of
 * this kind: a question is sent as an object to be created, and comes back with the answer in its
 * status.
 */
@FunctionalInterface
public interface VirtualResource {

  /**
   * A request for one.
   *
   * @param verb one of the verbs that the catalog gives the resource
   * @param info the path
   * @param context who asks
   * @param object what was sent, checked against the schema; null unless the verb sends one
   */
  record Request(
      Verb verb, RequestInfo.Resource info, RequestContext context, @Nullable ApiObject object) {

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
   * The objects of a list, in the order of their names. Asked only of resources that the catalog
   * gives the verb list.
   */
  default List<ApiObject> list(Request request) {
    throw new IllegalStateException(request.info().resource() + " cannot be listed");
  }
}
