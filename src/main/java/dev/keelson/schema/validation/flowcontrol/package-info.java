/**
 * Validates flow schemas and priority levels, of which some have fixed specs
 * (pkg/apis/flowcontrol/validation). Begin at {@link
 * dev.keelson.schema.validation.flowcontrol.FlowControlKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.flowcontrol;

import org.jspecify.annotations.NullMarked;
