/**
 * Validates the kinds of the core group other than pods and storage, which have rooms below
 * (pkg/apis/core/validation). Begin at {@link dev.keelson.schema.validation.core.CoreKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.core;

import org.jspecify.annotations.NullMarked;
