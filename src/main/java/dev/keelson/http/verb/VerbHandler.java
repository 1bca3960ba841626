package dev.keelson.http.verb;

import dev.keelson.http.Answer;

/** One verb on the main resource or on a subresource. */
interface VerbHandler {
  Answer handle(ResourceCall call);
}
