package dev.keelson.http.fairness;

import dev.keelson.http.RequestContent;

/**
 * A body whose request has no seats while it is waited for.
 *
 * @param body what is on its way
 */
record SeatedContent(RequestContent body, Seats seats) implements RequestContent {

  @Override
  public byte[] bytes() {
    if (body.isComplete()) {
      return body.bytes();
    }
    seats.release();
    byte[] bytes = body.bytes();
    seats.take();
    return bytes;
  }

  @Override
  public boolean taken() {
    return body.taken();
  }

  @Override
  public long length() {
    return body.length();
  }

  @Override
  public boolean isComplete() {
    return body.isComplete();
  }
}
