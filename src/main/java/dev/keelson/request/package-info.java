/**
 * What a request is about, before anybody acts on it: who asks, what verb on which resource, until
 * when. Plain values without a framework type, so that every layer may use them. Begin with {@link
 * dev.keelson.request.RequestInfoResolver}.
 */
@NullMarked
package dev.keelson.request;

import org.jspecify.annotations.NullMarked;
