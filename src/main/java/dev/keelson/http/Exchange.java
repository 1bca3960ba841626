package dev.keelson.http;

import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;

/**
 * A request on its way through the chain.
 *
 * @param request the request as it came in
 * @param info what it is about
 * @param context who asks; anonymous until the authentication stage has run
 */
public record Exchange(ApiRequest request, RequestInfo info, RequestContext context) {}
