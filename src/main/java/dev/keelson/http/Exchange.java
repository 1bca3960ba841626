package dev.keelson.http;

import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;

/**
 * A request in the filter chain.
 *
 * @param request the HTTP request
 * @param info the request info
 * @param context the user and the audit id; the user is anonymous until the authentication filter
 *     has run
 */
public record Exchange(ApiRequest request, RequestInfo info, RequestContext context) {}
