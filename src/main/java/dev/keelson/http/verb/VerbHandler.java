package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;

/** One verb on the main resource or on a subresource. */
interface VerbHandler {
  ApiResponse handle(ResourceCall call);
}
