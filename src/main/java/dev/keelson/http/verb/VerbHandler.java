package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;

/** One verb on the main resource or on a subresource. */
interface VerbHandler {

  /** The event of a span between the operation and the encoding of its result. */
  String ABOUT_TO_WRITE = "About to write a response";

  /** The event of a span when the body of the request has been read. */
  String BODY_READ = "limitedReadBody succeeded";

  /** The event of a span when the audit has the body of the request. */
  String AUDITED = "Recorded the audit event";

  ApiResponse handle(ResourceCall call);
}
