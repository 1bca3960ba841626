package dev.keelson.http.verb;

import dev.keelson.object.ApiObject;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;

/**
 * A resource or subresource that is only ever created and never stored: reviews and token requests.
 */
@FunctionalInterface
public interface CreateOnly {

  /**
   * Answers what was sent.
   *
   * @param context who asks
   * @param info the path
   * @param sent the body
   * @return what is answered with 201
   * @throws dev.keelson.api.ApiException if it is refused
   */
  ApiObject answer(RequestContext context, RequestInfo.Resource info, ApiObject sent);
}
