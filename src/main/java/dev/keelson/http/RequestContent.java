package dev.keelson.http;

/**
 * The body of a request, which may still be on its way: the filters see a request as soon as its
 * head is complete. Used by the thread of the request.
 */
public interface RequestContent {

  /** The content of a request without a body. */
  RequestContent NONE = of(new byte[0]);

  /**
   * Returns the body, empty if there is none; waits until it is complete. Must not be modified.
   *
   * @throws dev.keelson.api.ApiException of reason RequestEntityTooLarge if it is too large,
   *     TooManyRequests if too many bodies are on their way, Timeout if it does not come in time
   */
  byte[] bytes();

  /** Whether {@link #bytes} has returned the body. */
  boolean taken();

  /** The number of bytes that {@link #bytes} has returned; 0 before. */
  long length();

  /** Whether {@link #bytes} does not wait. */
  default boolean isComplete() {
    return true;
  }

  /** The content of a request that has been read. */
  static RequestContent of(byte[] body) {
    return new RequestContent() {
      @Override
      public byte[] bytes() {
        return body;
      }

      @Override
      public boolean taken() {
        return true;
      }

      @Override
      public long length() {
        return body.length;
      }
    };
  }
}
