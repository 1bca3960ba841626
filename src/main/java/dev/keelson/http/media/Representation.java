package dev.keelson.http.media;

/**
 * The negotiated representation of a response.
 *
 * @param format the serialization
 * @param mediaType the media type of the format that the client requested
 * @param view the view of the objects
 */
record Representation(Format format, String mediaType, View view) {

  /** The default representation. */
  static final Representation JSON =
      new Representation(Format.JSON, Format.JSON.mediaTypes().getFirst());

  /** Whole objects. */
  Representation(Format format, String mediaType) {
    this(format, mediaType, View.Whole.WHOLE);
  }

  Representation showing(View other) {
    return new Representation(format, mediaType, other);
  }

  boolean in(MediaType range) {
    int slash = mediaType.indexOf('/');
    return range.includes(mediaType.substring(0, slash), mediaType.substring(slash + 1));
  }
}
