/// Every configuration key, declared once, and the values in force. [ConfigTable] knows the keys,
/// [ConfigResolver] layers what operators set over the defaults, [ConfigValues] is the resolved
/// result that the other modules turn into plain values. Everything public here is immutable, so no
/// thread owns it. Imports nothing of Ottla, no Netty, no clock; the one file it reads is the
/// operator's properties file.
@NullMarked
package dev.ottla.config;

import org.jspecify.annotations.NullMarked;
