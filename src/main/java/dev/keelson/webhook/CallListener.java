package dev.keelson.webhook;

/** Is told of each request that a client has sent, for metrics. Called on the caller's thread. */
@FunctionalInterface
public interface CallListener {

  /** What a call was like. */
  record Call(String host, String code, long nanos, long requestBytes, long responseBytes) {

    /** The code of a request without a response, as client-go's metrics have it. */
    public static final String ERROR = "<error>";
  }

  /**
   * Reports a request.
   *
   * @param call its host and port, the code of its status or {@link Call#ERROR}, its duration, and
   *     the lengths of both bodies
   */
  void called(Call call);
}
