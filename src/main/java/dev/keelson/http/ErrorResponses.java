package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.request.RequestContext;
import dev.keelson.request.UserInfo;
import dev.keelson.storage.StorageException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Turns exceptions into Status responses. Stack traces and internal messages are not sent to
 * clients.
 */
public final class ErrorResponses {

  private static final Logger LOG = Logger.getLogger(ErrorResponses.class);

  private final StatusWriter writer;

  /** Writes a Status in the format that the client accepts. */
  @FunctionalInterface
  public interface StatusWriter {
    ApiResponse status(ApiRequest request, int code, dev.keelson.object.Node.MapNode status);
  }

  public ErrorResponses(StatusWriter writer) {
    this.writer = writer;
  }

  /** Whether {@code error} is a bug in the server. */
  public static boolean isDefect(Exception error) {
    return !(error instanceof ApiException || error instanceof StorageException);
  }

  /** Returns the response to a request that failed with {@code error}. */
  public ApiResponse answer(ApiRequest request, Exception error) {
    ApiException api =
        switch (error) {
          case ApiException e -> e;
          case StorageException e -> stored(request, e);
          default -> defect(request, error);
        };
    int code = StatusCodes.of(api);
    ApiResponse answer = writer.status(request, code, StatusBody.failure(api));
    int retry = api.details().retryAfterSeconds();
    return retry > 0 ? answer.with("Retry-After", Integer.toString(retry)) : answer;
  }

  /** Creates the context of a request before authentication; a client may set the audit id. */
  public RequestContext anonymousContext(ApiRequest request) {
    String chosen = request.header("Audit-ID");
    return new RequestContext(
        new UserInfo("system:anonymous", "", List.of("system:unauthenticated"), Map.of()),
        chosen.isEmpty() ? UUID.randomUUID().toString() : chosen);
  }

  private static ApiException stored(ApiRequest request, StorageException error) {
    LOG.logf(
        level(error),
        "event=store-error method=%s path=%s error=%s",
        request.method(),
        request.path(),
        error.getMessage());
    return StorageErrors.toApi(error);
  }

  /** A revision that a client may not read any more, or not yet, is no failure of the store. */
  static Logger.Level level(StorageException error) {
    return error instanceof StorageException.Compacted
            || error instanceof StorageException.FutureRevision
        ? Logger.Level.DEBUG
        : Logger.Level.WARN;
  }

  private static ApiException defect(ApiRequest request, Exception error) {
    LOG.errorf(error, "event=internal-error method=%s path=%s", request.method(), request.path());
    return new ApiException(
        Reason.INTERNAL_ERROR,
        "Internal error occurred: see the server log for details",
        ErrorDetails.NONE,
        error);
  }
}
